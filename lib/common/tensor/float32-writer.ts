import { findFloatModule, stepValues, writeFloat32Step } from "@/lib/common/floats";
import { float32Text } from "./number-text";

/** Most bytes of one number and its comma: `-100000000000000000000,`. */
const widest = 24;
/** Fewer values are written as fast without the module, and without waiting for it to be made. */
const leastOfModule = 64;

const [zero, comma, minus, point, letterE, plus] = [0x30, 0x2c, 0x2d, 0x2e, 0x65, 0x2b];
/** Powers of ten from 10^-45 on: those up to 10^22 are exact, the others the nearest doubles. */
const powersOfTen = Float64Array.from({ length: 100 }, (_, index) => Number(`1e${index - 45}`));
const unity = 45;
/** By biased exponent: half a step between float32 values, and the power of ten of the smallest of them. */
const halfSteps = Float64Array.from({ length: 256 }, (_, biased) => 2 ** (biased - 151));
const exponents = Int8Array.from({ length: 256 }, (_, biased) =>
  Math.floor((biased - 127) * Math.log10(2)),
);
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const ascii = new TextDecoder();
const scratch = new Uint8Array(stepValues * widest);

/** JSON of float32 values, comma-separated, each as `float32Text` has it. */
export function float32List(values: Float32Array): string {
  let text = "";
  for (const piece of float32Pieces(values)) text += ascii.decode(piece);
  return text;
}

/** The same, as the bytes of its pieces; each holds until the next is asked for. */
export function* float32Pieces(values: Float32Array): Generator<Uint8Array> {
  const module = values.length < leastOfModule ? null : findFloatModule();
  for (let from = 0; from < values.length; from += stepValues) {
    const step = values.subarray(from, from + stepValues);
    const piece = module ? writeFloat32Step(module, step) : writeStep(step);
    const isLast = from + stepValues >= values.length;
    yield isLast ? piece.subarray(0, -1) : piece;
  }
}

/** Writes up to `stepValues` values, each with a comma behind it. */
function writeStep(values: Float32Array): Uint8Array {
  let at = 0;
  for (let index = 0; index < values.length; index++) {
    at = writeFloat32(values[index] as number, scratch, at);
    scratch[at++] = comma;
  }
  return scratch.subarray(0, at);
}

/**
 * Writes the shortest decimal that reads back as the same float32. Nine digits always do; six, seven or eight do when the
 * rounding stays within half a step of the float32. That is decided in doubles, which are off by less than a millionth of
 * the ninth digit; what is closer to the border than that goes the slow way.
 */
function writeFloat32(value: number, out: Uint8Array, start: number): number {
  float[0] = value;
  const word = bits[0] as number;
  const biased = (word >>> 23) & 0xff;
  // Zeros, subnormals, infinities, no numbers, and powers of two, whose neighbours are unevenly far.
  if (biased === 0 || biased === 0xff || (word & 0x7fffff) === 0)
    return writeSlowly(value, out, start);
  const size = value < 0 ? -value : value;
  let at = start;
  if (value < 0) out[at++] = minus;
  if (size < 2 ** 24 && size === Math.floor(size)) return writeInteger(size, out, at);

  let exponent = exponents[biased] as number;
  if (size >= (powersOfTen[unity + exponent + 1] as number)) exponent++;
  const shift = 8 - exponent;
  const power = powersOfTen[unity + shift] as number;
  // Divided by an exact power where that is possible, so that one rounding is all.
  const scaled = shift >= 0 ? size * power : size / (powersOfTen[unity - shift] as number);
  const half = (halfSteps[biased] as number) * power;
  const doubt = scaled * 2 ** -48;
  let count = 6;
  let digits = Math.floor(scaled * 1e-3 + 0.5);
  let distance = Math.abs(digits * 1e3 - scaled);
  if (distance > half - doubt) {
    if (distance < half + doubt) return writeSlowly(value, out, start);
    count = 7;
    digits = Math.floor(scaled * 1e-2 + 0.5);
    distance = Math.abs(digits * 1e2 - scaled);
    if (distance > half - doubt) {
      if (distance < half + doubt) return writeSlowly(value, out, start);
      count = 8;
      digits = Math.floor(scaled * 1e-1 + 0.5);
      distance = Math.abs(digits * 10 - scaled);
      if (distance > half - doubt) {
        if (distance < half + doubt) return writeSlowly(value, out, start);
        count = 9;
        digits = Math.floor(scaled + 0.5);
      }
    }
  }
  let integer = digits | 0;
  if (digits >= (powersOfTen[unity + count] as number)) {
    integer = (integer / 10) | 0;
    exponent++;
  }
  for (;;) {
    const tenth = (integer / 10) | 0;
    if (Math.imul(tenth, 10) !== integer) break;
    integer = tenth;
    count--;
  }
  return writeDigits(integer, count, exponent, out, at);
}

function writeSlowly(value: number, out: Uint8Array, at: number): number {
  const text = float32Text(value);
  for (let index = 0; index < text.length; index++) out[at + index] = text.charCodeAt(index);
  return at + text.length;
}

function writeInteger(value: number, out: Uint8Array, at: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count++;
  putDigits(value, out, at, at + count);
  return at + count;
}

/** `count` digits, the first of which stands for `exponent` powers of ten, as JavaScript writes numbers. */
function writeDigits(
  digits: number,
  count: number,
  exponent: number,
  out: Uint8Array,
  start: number,
): number {
  let at = start;
  if (exponent < -6 || exponent >= 21) return writeScientific(digits, count, exponent, out, at);
  if (exponent < 0) {
    out[at++] = zero;
    out[at++] = point;
    for (let zeros = exponent + 1; zeros < 0; zeros++) out[at++] = zero;
    putDigits(digits, out, at, at + count);
    return at + count;
  }
  const whole = exponent + 1;
  if (count <= whole) {
    putDigits(digits, out, at, at + count);
    for (at += count; at < start + whole; at++) out[at] = zero;
    return at;
  }
  // One place to the right, then the whole part back to the left of the point.
  putDigits(digits, out, at + 1, at + 1 + count);
  for (let index = 0; index < whole; index++) out[at + index] = out[at + index + 1] as number;
  out[at + whole] = point;
  return at + count + 1;
}

function writeScientific(
  digits: number,
  count: number,
  exponent: number,
  out: Uint8Array,
  start: number,
): number {
  let at = start;
  putDigits(digits, out, at + 1, at + 1 + count);
  out[at] = out[at + 1] as number;
  if (count > 1) {
    out[at + 1] = point;
    at += count + 1;
  } else at++;
  out[at++] = letterE;
  out[at++] = exponent < 0 ? minus : plus;
  return writeInteger(Math.abs(exponent), out, at);
}

/** Decimal digits of an integer below 2^31, right to left. */
function putDigits(integer: number, out: Uint8Array, from: number, to: number): void {
  let rest = integer | 0;
  for (let at = to - 1; at >= from; at--) {
    const tenth = (rest / 10) | 0;
    out[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
}

import { FloatRunReader, findFloatModule } from "@/lib/common/floats";
import type { JsonScanner } from "./json-scanner";
import type { TensorData } from "./tensor";

/** Powers of ten that are exact doubles. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** Digits that an integer of 32 bits holds. */
const digitsPerPart = 9;
/** A decimal point, counted from the digit zero. */
const pointDigit = 0x2e - 0x30;

/** Fewer elements are read as fast without the module, and without waiting for it to be made. */
const leastOfModule = 64;

/**
 * What reads runs of numbers of a scanner's text into an array from an index on: it answers how many were stored, after which
 * the scanner stands behind the last of them. What comes there, a comma, an end, a number of another kind, is for others to
 * read. It reads none where the array is not of floats.
 */
export function floatRuns(scanner: JsonScanner, data: TensorData): (index: number) => number {
  if (!(data instanceof Float32Array || data instanceof Float64Array)) return () => 0;
  const module = data.length < leastOfModule ? null : findFloatModule();
  if (module === null) return (index) => readFloatRun(scanner, data, index);
  const reader = new FloatRunReader(module, scanner.bytes, scanner.end);
  return (index) => {
    const count = reader.read(scanner.pos, data, index);
    scanner.fastBytes += reader.pos - scanner.pos;
    scanner.pos = reader.pos;
    return count;
  };
}

/**
 * Reads plain decimal numbers between commas straight into a float array, as long as they are short enough to be exact
 * in doubles: up to 18 digits, 9 of them before the point, no exponent. It stays within one array and stores `capacity` values at most.
 *
 * @returns How many were stored from `index` on. The scanner stands behind the last of them: what comes there, a comma, an
 * end, a number of another kind, is for others to read.
 */
function readFloatRun(
  scanner: JsonScanner,
  data: Float32Array | Float64Array,
  index: number,
): number {
  const { bytes, end } = scanner;
  const isNarrow = data instanceof Float32Array;
  let stored = index;
  let pos = scanner.pos;
  while (stored < data.length) {
    let at = pos;
    // After the first of the run comes a comma; a space behind it is usual.
    if (stored > index) {
      if (bytes[at] !== 0x2c) break;
      at++;
    }
    let byte = bytes[at] as number;
    while (byte === 0x20 || byte === 0x0a) byte = bytes[++at] as number;
    const isNegative = byte === 0x2d;
    if (isNegative) byte = bytes[++at] as number;
    const first = at;
    let digit = byte - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    if (digit === 0 && isDigit(bytes[at + 1])) break;
    // Two parts of 32 bits each: integers are quicker than doubles.
    let high = 0;
    let low = 0;
    let limit = first + digitsPerPart;
    while (digit >= 0 && digit <= 9 && at < limit) {
      high = (high * 10 + digit) | 0;
      digit = (bytes[++at] as number) - 0x30;
    }
    let digits = at - first;
    let lowDigits = 0;
    let fractionDigits = 0;
    if (digit === pointDigit) {
      const fraction = ++at;
      limit = fraction + digitsPerPart - digits;
      digit = (bytes[at] as number) - 0x30;
      while (digit >= 0 && digit <= 9 && at < limit) {
        high = (high * 10 + digit) | 0;
        digit = (bytes[++at] as number) - 0x30;
      }
      const middle = at;
      limit = middle + digitsPerPart;
      while (digit >= 0 && digit <= 9 && at < limit) {
        low = (low * 10 + digit) | 0;
        digit = (bytes[++at] as number) - 0x30;
      }
      lowDigits = at - middle;
      fractionDigits = at - fraction;
      if (fractionDigits === 0) break;
      digits += fractionDigits;
    }
    // More digits than two parts hold, or a number that is cut off.
    if ((digit >= 0 && digit <= 9) || at >= end) break;
    byte = bytes[at] as number;
    if (byte === 0x65 || byte === 0x45) break;
    const mantissa = high * (powersOfTen[lowDigits] as number) + low;
    const value = mantissa / (powersOfTen[fractionDigits] as number);
    if (digits > 15) {
      // Off by a few units in the last place: a float32 mostly does not care, a double does.
      const slack = value * 1e-15;
      if (!isNarrow || Math.fround(value - slack) !== Math.fround(value + slack)) break;
    }
    data[stored++] = isNegative ? -value : value;
    pos = at;
  }
  scanner.pos = pos;
  return stored - index;
}

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

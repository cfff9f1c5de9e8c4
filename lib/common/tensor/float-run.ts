import type { JsonScanner } from "./json-scanner";

/** Powers of ten that are exact doubles. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** Digits that an integer of 32 bits holds. */
const digitsPerPart = 9;

/**
 * Reads plain decimal numbers between commas straight into a float array, as long as they are short enough to be exact
 * in doubles: up to 18 digits, no exponent. It stays within one array and stores `capacity` values at most.
 *
 * @returns How many were stored from `index` on. The scanner stands behind the last of them: what comes there, a comma, an
 * end, a number of another kind, is for others to read.
 */
export function readFloatRun(
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
    // Two parts of 32 bits each: integers are quicker than doubles.
    let [high, low, lowDigits, fractionDigits] = [0, 0, 0, 0];
    const first = at;
    let digit = byte - 0x30;
    if (!(digit >= 0 && digit <= 9)) break;
    if (digit === 0 && isDigit(bytes[at + 1])) break;
    while (digit >= 0 && digit <= 9) {
      if (at - first < digitsPerPart) high = (high * 10 + digit) | 0;
      else {
        low = (low * 10 + digit) | 0;
        lowDigits++;
      }
      digit = (bytes[++at] as number) - 0x30;
    }
    let digits = at - first;
    if (bytes[at] === 0x2e) {
      const fraction = ++at;
      digit = (bytes[at] as number) - 0x30;
      while (digit >= 0 && digit <= 9) {
        if (digits + (at - fraction) < digitsPerPart) high = (high * 10 + digit) | 0;
        else {
          low = (low * 10 + digit) | 0;
          lowDigits++;
        }
        digit = (bytes[++at] as number) - 0x30;
      }
      fractionDigits = at - fraction;
      if (fractionDigits === 0) break;
      digits += fractionDigits;
    }
    if (digits > 2 * digitsPerPart || at >= end) break;
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

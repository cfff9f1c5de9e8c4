import { fromBfloat16Bits, fromFloat16Bits } from "./half";

const powersOfTen = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** JSON of a float32: the shortest decimal that reads back as the same float32, strings for what JSON has no number for. */
export function float32Text(value: number): string {
  const special = specialText(value);
  if (special !== null) return special;
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 24) return String(value);
  // Any decimal of 6 digits survives a float32 (FLT_DIG), so fewer digits need no try; subnormals hold less.
  const least = Math.abs(value) < 2 ** -126 ? 1 : 6;
  return shortest(value, least, 9, (candidate) => Math.fround(candidate) === value);
}

/** The shortest text that reads as the same number; JSON has none for NaN and infinities. */
export function float64Text(value: number): string {
  return specialText(value) ?? String(value);
}

/** JSON of a half: its exact value, so that who reads doubles has it as well (a shorter 65500 is 65504 to halves alone). */
export function float16Text(bits: number): string {
  return float64Text(fromFloat16Bits(bits));
}

/** JSON of a bfloat16: its exact value, as {@link float16Text}. */
export function bfloat16Text(bits: number): string {
  return float64Text(fromBfloat16Bits(bits));
}

function specialText(value: number): string | null {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0";
  if (Number.isFinite(value)) return null;
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** Text of the decimal with the fewest digits, from `least` to `most`, that `survives`. */
function shortest(
  value: number,
  least: number,
  most: number,
  survives: (candidate: number) => boolean,
): string {
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  for (let digits = least; digits < most; digits++) {
    const candidate = rounded(value, digits, digits - 1 - magnitude);
    if (survives(candidate)) return String(candidate);
  }
  return String(Number(value.toPrecision(most)));
}

/** The double nearest to a value rounded to some decimal digits; its own text has no more digits than that. */
function rounded(value: number, digits: number, places: number): number {
  const power = powersOfTen[Math.abs(places)];
  if (power === undefined) return Number(value.toPrecision(digits));
  return places < 0 ? Math.round(value / power) * power : Math.round(value * power) / power;
}

/** The values a signal takes, both bounds included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Bits that hold every value of a range: two's complement where there are negative ones, plain binary otherwise. */
export function widthOf({ min, max }: Range): number {
  if (min >= 0) return widthFor(max);
  return 1 + Math.max(bitLength(max), bitLength(-min - 1));
}

/** Bits that hold 0..max; at least one. */
export function widthFor(max: number): number {
  return Math.max(1, bitLength(max));
}

/** Bits of a natural number; none for 0. Exact below 2^53, unlike a logarithm. */
export function bitLength(value: number): number {
  let bits = 0;
  for (let rest = value; rest >= 1; rest /= 2) bits++;
  return bits;
}

/** Low zero bits of a number other than 0. */
export function trailingZeros(value: number): number {
  let zeros = 0;
  for (let rest = value; rest !== 0 && rest % 2 === 0; rest /= 2) zeros++;
  return zeros;
}

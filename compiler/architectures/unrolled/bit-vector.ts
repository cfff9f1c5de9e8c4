import { type Range, widthOf } from "../../integer/range";

/** A signal of the emitted text with the values it takes, from which its width and its sign follow. */
export interface BitVector {
  readonly name: string;
  readonly range: Range;
  /** Whether what is named holds the complement of every bit. */
  readonly inverted?: boolean;
}

/**
 * Bits `low` and up of a signal as an expression of exactly `count` bits: cut, or extended by its sign. Spelling the
 * extension out keeps Verilog's rules about signed and unsigned operands out of it.
 */
export function bitsOf(vector: BitVector, low: number, count: number): string {
  return `${vector.inverted ? "~" : ""}${heldBits(vector, low, count)}`;
}

/** The same bits as they are held: complemented, where what is named holds the complement. */
export function heldBits({ name, range, inverted }: BitVector, low: number, count: number): string {
  const width = widthOf(range);
  const signed = range.min < 0;
  const there = Math.max(0, Math.min(width - low, count));
  const missing = count - there;
  const own = there === 0 ? "" : slice(name, width, low, there);
  if (missing === 0) return own;
  const fill = signed
    ? `{${missing}{${name}${width === 1 ? "" : `[${width - 1}]`}}}`
    : literal(inverted ? -1 : 0, missing);
  return there === 0 ? fill : `{${fill}, ${own}}`;
}

function slice(name: string, width: number, low: number, count: number): string {
  if (count === width) return name;
  return count === 1 ? `${name}[${low}]` : `${name}[${low + count - 1}:${low}]`;
}

/** `n'hdigits` of a value's two's complement. */
export function literal(value: number, width: number): string {
  return `${width}'h${BigInt.asUintN(width, BigInt(value)).toString(16)}`;
}

/** Parts from the highest to the lowest as one expression; empty ones are left out. */
export function concatenate(...parts: readonly (string | null)[]): string {
  const there = parts.filter((part) => part !== null);
  return there.length === 1 ? (there[0] ?? "") : `{${there.join(", ")}}`;
}

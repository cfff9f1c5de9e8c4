import type { FamilyCosts } from "@/boards";
import { trailingZeros, widthOf } from "../../integer/range";
import { type BitVector, bitsOf, concatenate, heldBits, literal } from "./bit-vector";
import type { Signal } from "./network";
import { adderWidth } from "./network-builder";

/** The right-hand side of what adds a constant, of exactly its width. */
export function offsetOf(
  signal: Extract<Signal, { kind: "offset" }>,
  source: BitVector,
  { needsComplements }: FamilyCosts,
): string {
  const width = widthOf(signal);
  const { constant, negative } = signal;
  if (constant === 0 && !negative) return bitsOf(source, 0, width);
  if (negative) {
    return source.inverted || !needsComplements
      ? `${literal(constant, width)} - ${bitsOf(source, 0, width)}`
      : `~(${bitsOf(source, 0, width)} + ${literal(-1 - constant, width)})`;
  }
  const low = Math.min(trailingZeros(constant), width - 1);
  const added = literal(constant / 2 ** low, width - low);
  const held = heldBits(source, low, width - low);
  const high = source.inverted ? `~(${held} - ${added})` : `${held} + ${added}`;
  return low === 0 ? high : concatenate(high, bitsOf(source, 0, low));
}

/**
 * The right-hand side of a sum, of exactly its width. From a left operand that is held as its complement comes the
 * complement of the result, so that nothing is inverted before the carry chain where the operands' forms allow it.
 *
 * @param inverts The operand that is inverted where they do not.
 */
export function sumOf(
  sum: Extract<Signal, { kind: "sum" }>,
  { left, right }: { readonly left: BitVector; readonly right: BitVector },
  inverts: "left" | "right" | undefined,
): string {
  const { shift, negative } = sum;
  const width = widthOf(sum);
  if (width <= shift) return bitsOf(left, 0, width);
  const low = shift === 0 ? null : bitsOf(left, 0, shift);
  const upper = width - shift;
  if (adderWidth(left.range, sum, sum) === 0) return concatenate(bitsOf(right, 0, upper), low);
  const isComplement = (left.inverted ?? false) !== (inverts === "left");
  const sign = negative === isComplement ? "+" : "-";
  const held = `${inverts === "left" ? "~" : ""}${heldBits(left, shift, upper)}`;
  const adder = `${held} ${sign} ${bitsOf(right, 0, upper)}`;
  return concatenate(isComplement ? `~(${adder})` : adder, low);
}

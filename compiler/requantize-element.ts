import { boundsOf, requantize } from "@/lib/common/fixed-point";
import type { RequantizeNode } from "./integer-graph";

type Requantization = Pick<RequantizeNode, "width" | "signed" | "rounding" | "bounds">;

/** The smallest and largest value of a requantised element. */
export const requantizedBounds = (node: Requantization): { min: number; max: number } =>
  node.bounds ?? boundsOf(node);

/** One accumulator shifted, rounded as the node says, and clamped. Exact below 2^52. */
export function requantizeElement(
  accumulator: number,
  shift: number,
  node: Requantization,
): number {
  const { min, max } = requantizedBounds(node);
  const clamped = (value: number) => Math.min(max, Math.max(min, value));
  if (node.rounding === "floor") return clamped(Math.floor(accumulator / 2 ** shift));
  if (node.rounding === "half-even" && shift > 0) {
    const scaled = accumulator / 2 ** shift;
    const up = Math.floor(scaled + 0.5);
    const isTie = scaled + 0.5 === up;
    return clamped(isTie && up % 2 !== 0 ? up - 1 : up);
  }
  return clamped(requantize(accumulator, shift, { width: 32, signed: true }));
}

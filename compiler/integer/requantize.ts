import { boundsOf } from "@/lib/common/fixed-point";
import type { RequantizeNode } from "./integer-graph";

type Format = Pick<RequantizeNode, "width" | "signed" | "bounds">;
type Requantization = Format & Pick<RequantizeNode, "shift" | "rounding" | "relu">;

/** The smallest and largest value of a requantised element. */
export const requantizedBounds = (node: Format): { min: number; max: number } =>
  node.bounds ?? boundsOf(node);

/** By how many bits an element is shifted: each has a shift of its own, or each channel of a map has. */
export const shiftOf = ({ shift }: Pick<RequantizeNode, "shift">, element: number): number =>
  shift[element % shift.length] ?? 0;

/** What an accumulator becomes, as the hardware makes it: shifted, rounded and clamped. Exact below 2^52. */
export function requantizeElement(
  node: Requantization,
  accumulator: number,
  element: number,
): number {
  const { min, max } = requantizedBounds(node);
  return Math.min(max, Math.max(min, rounded(node, accumulator, shiftOf(node, element))));
}

/** Whether an accumulator lies beyond what its element can hold. The zero of a ReLU is no loss: the float model has it too. */
export function isClipped(node: Requantization, accumulator: number, element: number): boolean {
  const { min, max } = requantizedBounds(node);
  const value = rounded(node, accumulator, shiftOf(node, element));
  return value > max || (value < min && !node.relu);
}

/** One accumulator shifted, and rounded as the node says. */
function rounded(
  { rounding }: Pick<RequantizeNode, "rounding">,
  accumulator: number,
  shift: number,
): number {
  if (rounding === "floor") return Math.floor(accumulator / 2 ** shift);
  if ((rounding === "half-even" || rounding === "half-odd") && shift > 0) {
    const scaled = accumulator / 2 ** shift;
    const up = Math.floor(scaled + 0.5);
    const isTie = scaled + 0.5 === up;
    const isOdd = up % 2 !== 0;
    return isTie && isOdd === (rounding === "half-even") ? up - 1 : up;
  }
  const half = shift > 0 ? 2 ** (shift - 1) : 0;
  return Math.floor((accumulator + half) / 2 ** shift);
}

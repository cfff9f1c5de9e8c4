import type { RequantizeNode } from "../../integer/integer-graph";

/** What is added to an output's accumulator before its low bits go: half a step, unless it is rounded down. */
export function roundingOf({ shift, rounding }: RequantizeNode, output: number): number {
  const bits = shift[output] ?? 0;
  return bits > 0 && rounding !== "floor" ? 2 ** (bits - 1) : 0;
}

/** Whether a value half way between two steps goes to the even one, and there can be such. */
export const isToEven = ({ shift, rounding }: RequantizeNode, output: number): boolean =>
  rounding === "half-even" && (shift[output] ?? 0) > 0;

import type { ConvolutionNode } from "../../integer/integer-maps";
import { weightBits } from "../../verilog/memory";

/** Most bits by which the sums of a channel can be shifted to the left. */
const mostLift = 7;

/**
 * By how many bits the sums of each channel are shifted to the left: weights that are wider than the memories hold are
 * stored without the zeros at their end.
 *
 * @returns Nothing where all weights are held as they are.
 */
export function liftsOf(
  node: Pick<ConvolutionNode, "weights" | "weightWidth" | "output">,
): number[] {
  const { weights, weightWidth, output } = node;
  if (weightWidth <= weightBits) return [];
  const size = weights.length / output.channels;
  return Array.from({ length: output.channels }, (_, channel) =>
    liftOf(weights.slice(channel * size, (channel + 1) * size)),
  );
}

const isHeld = (weight: number): boolean =>
  weight >= -(2 ** (weightBits - 1)) && weight < 2 ** (weightBits - 1);

function liftOf(weights: readonly number[]): number {
  let lift = 0;
  while (
    lift < mostLift &&
    !weights.every((weight) => isHeld(weight / 2 ** lift)) &&
    weights.every((weight) => Number.isInteger(weight / 2 ** (lift + 1)))
  )
    lift++;
  return lift;
}

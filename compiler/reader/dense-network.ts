import { refuseModel } from "../graph/refuse";
import { requireFiniteWeights } from "../graph/require-numbers";
import type { DenseLayer, DenseNetwork } from "../model/dense-network";
import { foldSteps } from "./fold-steps";
import type { ReadModel } from "./read-model";
import type { Step } from "./step";

/**
 * Steps as dense layers in a row.
 *
 * @param model Where the steps come from.
 * @throws {AppError} `MODEL_UNSUPPORTED`
 */
export function denseNetworkOf(
  { inputs, outputs: [output, ...more], isPair }: ReadModel,
  steps: readonly Step[],
): DenseNetwork {
  const { layers, before, after } = foldSteps(steps);
  requireFiniteWeights(layers);
  const hosted = (each: typeof output) =>
    after.length > 0 ? { ...each, elementwise: after } : each;
  return {
    inputs,
    outputs: [hosted(output), ...more.map(hosted)],
    layers: isPair ? asPair(layers) : layers,
    scaling: before && scalingOf(before),
  };
}

/** `[1 − sigmoid(s), sigmoid(s)]` is the softmax of `[0, s]`: one more output, of weights 0, in front. */
function asPair(layers: readonly DenseLayer[]): DenseLayer[] {
  const last = layers.at(-1);
  if (last?.outputSize !== 1) {
    throw refuseModel("The model answers a score and its two probabilities; FPGA boards take one.");
  }
  const { inputSize, weights, bias } = last;
  const pair = {
    ...last,
    outputSize: 2,
    weights: Float64Array.of(...new Float64Array(inputSize), ...weights),
    bias: Float64Array.of(0, ...bias),
  };
  return [...layers.slice(0, -1), pair];
}

/** `f x + g` as `(x − mean) / deviation`; features that the model ignores stay as they are. */
function scalingOf({
  factor,
  offset,
}: {
  readonly factor: Float64Array;
  readonly offset: Float64Array;
}): DenseNetwork["scaling"] {
  return {
    mean: Array.from(factor, (value, index) => (value === 0 ? 0 : -(offset[index] ?? 0) / value)),
    deviation: Array.from(factor, (value) => (value === 0 ? 1 : 1 / Math.abs(value))),
  };
}

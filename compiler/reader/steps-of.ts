import { isInOrder } from "../model/maps/value";
import { joinTowers } from "./join-towers";
import type { ReadModel } from "./read-model";
import { isRowLayer, overRow } from "./row-layer";
import type { Step } from "./step";

/**
 * A model as steps on one row, each on what the one before it made; towers that meet are steps on the values of all.
 *
 * @returns Null for any other model: of maps, or whose values meet or part otherwise.
 */
export function stepsOf(model: ReadModel): Step[] | null {
  const steps = chainOf(model);
  if (steps) return steps;
  const joined = joinTowers(model);
  return joined && chainOf(joined);
}

function chainOf({
  layers,
  inputSize,
  inputScale,
  scores,
}: Pick<ReadModel, "layers" | "inputSize" | "inputScale" | "scores">): Step[] | null {
  const [first] = layers;
  const isQuantized = first?.kind === "quantize";
  const begins = !first || first.kind === "convolution" || isQuantized;
  if (!begins || !isInOrder(scores) || scores.layer !== layers.length - 1) return null;
  const steps: Step[] = inputScale
    ? [{ kind: "affine", name: "input", operator: "Mul", ...inputScale }]
    : [];
  for (const [place, layer] of layers.entries()) {
    const readsInputs = place === (isQuantized ? 1 : 0);
    if (readsInputs && layer.kind === "quantize" && isQuantized) return null;
    const whole = readsInputs && isRowLayer(layer) ? overRow(layer, inputSize) : layer;
    const step = layer.from === place - 1 ? stepOf(whole) : null;
    if (!step) return null;
    steps.push(step);
  }
  return steps;
}

function stepOf(layer: ReadModel["layers"][number]): Step | null {
  const { name, output } = layer;
  if (output.height !== 1 || output.width !== 1) return null;
  switch (layer.kind) {
    case "convolution": {
      const { input, weights, bias, groups } = layer;
      if (groups !== 1 || input.height !== 1 || input.width !== 1) return null;
      const [inputSize, outputSize] = [input.channels, output.channels];
      if (weights.length !== inputSize * outputSize) return null;
      return { kind: "dense", name, inputSize, outputSize, weights, bias };
    }
    case "affine": {
      const { operator, factor, offset } = layer;
      return { kind: "affine", name, operator, factor, offset };
    }
    case "relu":
      return { kind: "relu", name };
    case "elementwise": {
      const { operator, program } = layer;
      return { kind: "elementwise", name, operator, program };
    }
    case "quantize": {
      const { operator, quantizer } = layer;
      return { kind: "quantize", name, operator, quantizer };
    }
    default:
      return null;
  }
}

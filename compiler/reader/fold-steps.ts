import { composeElementwise, type ElementwiseProgram } from "@/lib/common/elementwise";
import { refuse, refuseModel } from "../graph/refuse";
import type { DenseLayer } from "../model/dense-network";
import { isUniform, operation, refuseManyFunctions, uniform } from "./functions";
import type { Step } from "./step";

type Affine = Extract<Step, { kind: "affine" }>;

/** Dense layers, what was done to the input before them, and what is left to do with the last one's values. */
export interface Folded {
  readonly layers: readonly DenseLayer[];
  /** `factor · x + offset` of the input, which the first layer has in it; null where there was none. */
  readonly before: Pick<Affine, "factor" | "offset"> | null;
  /** A function of each of the last scores by itself, for the host; empty where there is none. */
  readonly after: ElementwiseProgram;
}

/**
 * Merges per-feature scales and offsets into the dense layer before them, or where an activation or the input is before
 * them, into the one after; then attaches the activations. Those with no layer to merge into become one of their own.
 *
 * @throws {AppError} for a model without a dense layer, and an activation of the input itself.
 */
export function foldSteps(steps: readonly Step[]): Folded {
  const layers: DenseLayer[] = [];
  let waiting: Affine | null = null;
  let before: Folded["before"] = null;
  for (const step of steps) {
    const last = layers.at(-1);
    if (step.kind === "dense") {
      if (!last) before = waiting;
      layers.push({ ...(waiting ? foldBefore(waiting, step) : step), relu: false });
      waiting = null;
    } else if (step.kind === "affine") {
      const isLinear = last && !last.relu && !last.elementwise && !waiting;
      if (isLinear) layers[layers.length - 1] = foldAfter(last, step);
      else waiting = waiting ? compose(waiting, step) : step;
    } else if (step.kind === "relu" || step.kind === "elementwise") {
      const operator = step.kind === "relu" ? "Relu" : step.operator;
      if (!last) throw refuse({ operator, name: step.name }, "has no dense layer right before it");
      if (waiting && !isUniform(waiting)) layers.push(activated(diagonal(waiting), step, null));
      else layers[layers.length - 1] = activated(last, step, waiting);
      waiting = null;
    }
  }
  const last = layers.at(-1);
  if (!last) {
    throw refuseModel("The model has no dense layer, so there is nothing to build.");
  }
  if (waiting) layers.push(diagonal(waiting));
  const { elementwise: after = [], ...scores } = layers.at(-1) ?? last;
  return { layers: [...layers.slice(0, -1), scores].map(bare), before, after };
}

/** A scale and an offset for each feature as a layer, which each feature passes by itself. */
function diagonal({ name, factor, offset }: Affine): DenseLayer {
  const size = factor.length;
  const weights = new Float64Array(size * size);
  for (const [at, value] of factor.entries()) weights[at * size + at] = value;
  return { name, inputSize: size, outputSize: size, weights, bias: offset, relu: false };
}

/** The layer with one more function of each of its values; several become one. */
function activated(
  layer: DenseLayer,
  step: Extract<Step, { kind: "relu" | "elementwise" }>,
  waiting: Affine | null,
): DenseLayer {
  const isFirst = !layer.relu && !layer.elementwise && !waiting;
  if (step.kind === "relu" && isFirst) return { ...layer, relu: true };
  // ReLU twice is ReLU.
  if (step.kind === "relu" && layer.relu && !waiting) return layer;
  const programs = [
    layer.relu ? [operation("Relu")] : (layer.elementwise ?? []),
    waiting ? uniform(waiting) : [],
    step.kind === "relu" ? [operation("Relu")] : step.program,
  ];
  const elementwise = programs.reduce(composeElementwise);
  refuseManyFunctions(
    { operator: step.kind === "relu" ? "Relu" : step.operator, name: step.name },
    elementwise,
  );
  return elementwise.length === 0 ? layer : { ...layer, relu: false, elementwise };
}

const bare = ({ name, inputSize, outputSize, weights, bias, relu, elementwise }: DenseLayer) => ({
  name,
  inputSize,
  outputSize,
  weights,
  bias,
  relu,
  ...(elementwise ? { elementwise } : {}),
});

/** `W (f x + g) + b = (W f) x + (W g + b)`; a factor for each input. */
export function foldBefore<Layer extends Omit<DenseLayer, "relu">>(
  { factor, offset }: { readonly factor: Float64Array; readonly offset: Float64Array },
  layer: Layer,
): Layer {
  const { inputSize, weights, bias } = layer;
  return {
    ...layer,
    weights: weights.map((weight, index) => weight * (factor[index % inputSize] ?? 1)),
    bias: bias.map((value, output) => {
      let sum = value;
      for (let input = 0; input < inputSize; input++) {
        sum += (weights[output * inputSize + input] ?? 0) * (offset[input] ?? 0);
      }
      return sum;
    }),
  };
}

/** `f (W x + b) + g = (f W) x + (f b + g)`; a factor for each output. */
export function foldAfter<Layer extends Omit<DenseLayer, "relu">>(
  layer: Layer,
  { factor, offset }: Affine,
): Layer {
  const { inputSize, weights, bias } = layer;
  return {
    ...layer,
    weights: weights.map((weight, index) => weight * (factor[Math.floor(index / inputSize)] ?? 1)),
    bias: bias.map((value, output) => value * (factor[output] ?? 1) + (offset[output] ?? 0)),
  };
}

function compose(first: Affine, second: Affine): Affine {
  return {
    ...second,
    factor: first.factor.map((value, index) => value * (second.factor[index] ?? 1)),
    offset: first.offset.map(
      (value, index) => value * (second.factor[index] ?? 1) + (second.offset[index] ?? 0),
    ),
  };
}

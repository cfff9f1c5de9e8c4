import type { DenseLayer } from "../dense-network";
import { refuse, refuseModel } from "./refuse";
import type { Step } from "./step";

type Affine = Extract<Step, { kind: "affine" }>;

/**
 * Merges per-feature scales and offsets into the dense layer before them, or where an activation or the input is before
 * them, into the one after; then attaches the activations.
 *
 * @throws {AppError} when there is no layer to merge a step into.
 */
export function foldSteps(steps: readonly Step[]): DenseLayer[] {
  const layers: DenseLayer[] = [];
  let waiting: Affine | null = null;
  for (const step of steps) {
    const last = layers.at(-1);
    if (step.kind === "dense") {
      layers.push({ ...(waiting ? foldBefore(waiting, step) : step), relu: false });
      waiting = null;
    } else if (step.kind === "affine") {
      if (last && !last.relu && !waiting) layers[layers.length - 1] = foldAfter(last, step);
      else waiting = waiting ? compose(waiting, step) : step;
    } else if (step.kind === "relu") {
      if (!last || waiting) {
        throw refuse({ operator: "Relu", name: step.name }, "has no dense layer right before it");
      }
      layers[layers.length - 1] = { ...last, relu: true };
    }
  }
  if (waiting) throw refuse(waiting, "has no dense layer to be merged into");
  if (layers.length === 0) {
    throw refuseModel("The model has no dense layer, so there is nothing to build.");
  }
  return layers.map(({ name, inputSize, outputSize, weights, bias, relu }) => ({
    name,
    inputSize,
    outputSize,
    weights,
    bias,
    relu,
  }));
}

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
function foldAfter(layer: DenseLayer, { factor, offset }: Affine): DenseLayer {
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

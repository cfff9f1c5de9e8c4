import type { ElementwiseProgram } from "@/lib/common/elementwise";
import { refuse, refuseModel } from "../graph/refuse";
import { requireFiniteWeights } from "../graph/require-numbers";
import {
  type ConvolutionLayer,
  copyLayer,
  type InputScale,
  isSumming,
  type Layer,
  type MapModel,
  plainView,
  rowMap,
} from "../model/maps/layers";
import { isInOrder } from "../model/maps/value";
import type { ReadModel } from "./read-model";
import { type MovableLayer, simplify } from "./simplify";

/**
 * What was read as layers that hardware has: scales and activations in the layer before them, the scores last.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`
 */
export function mapModelOf(model: ReadModel): MapModel {
  const { inputs, inputSize, outputs } = model;
  const { layers: own, after } = withoutHostFunction(simplify(answering(model)));
  const layers = withPair(own, model.isPair);
  requireFiniteWeights(layers.filter((layer) => layer.kind === "convolution"));
  const [output, ...more] = outputs.map((each) =>
    after.length > 0 ? { ...each, elementwise: after } : each,
  );
  const { factor, offset } = inputScaleOf(model);
  const isScaled = (each: number, at: number) =>
    each !== 0 && Number.isFinite(each) && Number.isFinite(offset[at]);
  if (!factor.every(isScaled)) {
    throw refuseModel(
      "The model multiplies inputs by 0, or by no finite number, before its first layer.",
    );
  }
  return {
    inputs,
    outputs: [output ?? outputs[0], ...more],
    inputSize,
    inputScale: { factor, offset },
    layers,
  };
}

const inputScaleOf = ({ inputScale, inputSize }: ReadModel): InputScale =>
  inputScale ?? {
    factor: new Float64Array(inputSize).fill(1),
    offset: new Float64Array(inputSize),
  };

/** A function of the scores is the host's. */
function withoutHostFunction(layers: readonly Layer[]): {
  readonly layers: readonly Layer[];
  readonly after: ElementwiseProgram;
} {
  const last = layers.at(-1);
  if (!last || !isSumming(last)) return { layers, after: [] };
  const { elementwise: after, ...scores } = last;
  return after ? { layers: [...layers.slice(0, -1), scores], after } : { layers, after: [] };
}

/** @throws {AppError} for scores that do not lie in the order in which the model answers them. */
export function requireScoresInOrder(scores: ReadModel["scores"]): void {
  if (isInOrder(scores)) return;
  throw refuseModel(
    "The model answers a map whose channels come first; FPGA boards answer channels last. End it with a flattened layer.",
  );
}

/** The layers up to the one that answers, which must sum: others get one behind them that changes nothing. */
function answering({ scores, layers: raw, inputSize }: ReadModel): readonly MovableLayer[] {
  const layers = raw.map((layer): MovableLayer => {
    if (layer.kind === "quantize") throw refuse(layer);
    return layer;
  });
  requireScoresInOrder(scores);
  const place = Math.min(scores.layer, layers.length - 1);
  const made = layers[place];
  const sums = made !== undefined && made.kind !== "max-pool" && made.kind !== "concat";
  if (sums && place === layers.length - 1) return layers;
  const map = made?.output ?? rowMap(inputSize);
  return [...layers, copyLayer(`${made?.name ?? "input"}/answer`, place, plainView(map))];
}

/** One more score of weights 0 in front of the only one: the softmax of both is `[1 − sigmoid(s), sigmoid(s)]`. */
function withPair(layers: readonly Layer[], isPair: boolean): readonly Layer[] {
  const last = layers.at(-1);
  if (!isPair) return layers;
  if (last?.kind !== "convolution" || last.output.channels !== 1 || last.weights.length < 1) {
    throw refuseModel("The model answers a score and its two probabilities; FPGA boards take one.");
  }
  const pair: ConvolutionLayer = {
    ...last,
    output: { ...last.output, channels: 2 },
    weights: Float64Array.of(...new Float64Array(last.weights.length), ...last.weights),
    bias: Float64Array.of(0, ...last.bias),
  };
  return [...layers.slice(0, -1), pair];
}

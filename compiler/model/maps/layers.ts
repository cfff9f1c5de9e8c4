import type { ElementwiseProgram } from "@/lib/common/elementwise";
import type { TensorSpec } from "@/lib/common/tensor";
import type { MapShape, MapView, Window } from "../../integer/integer-maps";
import type { NetworkOutput } from "../dense-network";
import type { Quantizer } from "../quantizer";

/** `from` is the place of the layer that is read, −1 for the input; values are maps as the integer graph has them. */
interface Common {
  /** The name of the model's own node. */
  readonly name: string;
  readonly output: MapShape;
}

/** A convolution with real weights, over the map that layer `from` makes; −1 is the input. */
export interface ConvolutionLayer extends Common {
  readonly kind: "convolution";
  readonly from: number;
  readonly input: MapView;
  readonly window: Window;
  readonly groups: number;
  /** Row-major `[output channel][kernel row][kernel column][input channel of the group]`. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly relu: boolean;
  /** A function of each sum, in place of ReLU. */
  readonly elementwise?: ElementwiseProgram;
  /** What lies outside of the map; left out: 0. Standardised inputs have another number for it. */
  readonly outside?: number;
}

/** The largest value of each window, channel by channel. */
export interface MaxPoolLayer extends Common {
  readonly kind: "max-pool";
  readonly from: number;
  readonly input: MapView;
  readonly window: Window;
}

/** The sum of two maps of one shape, element by element. */
export interface AddLayer extends Common {
  readonly kind: "add";
  readonly from: readonly [number, number];
  readonly relu: boolean;
  readonly elementwise?: ElementwiseProgram;
}

/**
 * Matrices of two maps multiplied: `sum[y · matrices + x, o] = bias[o] + Σ_c left[y, x, c] · right[x, c, o]`. The left is seen as
 * rows by matrices by what is summed over; the right is a map of matrices by what is summed over by columns, made by a
 * convolution that nothing else reads.
 */
export interface ProductLayer extends Common {
  readonly kind: "product";
  readonly from: readonly [left: number, right: number];
  readonly input: MapView;
  readonly bias: Float64Array;
  readonly relu: boolean;
  readonly elementwise?: ElementwiseProgram;
}

/** Maps of one height and width behind each other, along their channels. */
export interface ConcatLayer extends Common {
  readonly kind: "concat";
  readonly from: readonly number[];
  readonly channels: readonly number[];
}

/** `y = factor · x + offset`, channel by channel. */
export interface AffineLayer extends Common {
  readonly kind: "affine";
  /** For messages. */
  readonly operator: string;
  readonly from: number;
  readonly factor: Float64Array;
  readonly offset: Float64Array;
}

/** Values below 0 become 0. */
export interface ReluLayer extends Common {
  readonly kind: "relu";
  readonly from: number;
}

/** A function of each value by itself. */
export interface ElementwiseLayer extends Common {
  readonly kind: "elementwise";
  /** The first of its operators, for messages. */
  readonly operator: string;
  readonly from: number;
  readonly program: ElementwiseProgram;
}

/** Values go onto a grid of the model's own. */
export interface QuantizeLayer extends Common {
  readonly kind: "quantize";
  readonly operator: string;
  readonly from: number;
  readonly quantizer: Quantizer;
}

/** What hardware has. */
export type Layer = ConvolutionLayer | MaxPoolLayer | AddLayer | ProductLayer | ConcatLayer;

/** Layers that sum, and may end in a function of each sum. */
export type SummingLayer = ConvolutionLayer | AddLayer | ProductLayer;

/** Whether a layer sums, so that its values must be rounded again. */
export const isSumming = (layer: { readonly kind: string }): layer is SummingLayer =>
  layer.kind === "convolution" || layer.kind === "add" || layer.kind === "product";

/** What is read, before scales, offsets and activations have moved into the layers beside them. */
export type RawLayer = Layer | AffineLayer | ReluLayer | ElementwiseLayer | QuantizeLayer;

/** What the model does to each value of its input before any layer: the host does it, as part of standardising. */
export interface InputScale {
  readonly factor: Float64Array;
  readonly offset: Float64Array;
}

/** A model of feature maps: layers in order, the last one answers. */
export interface MapModel {
  readonly inputs: readonly [TensorSpec, ...TensorSpec[]];
  /** Values of a row: those of all inputs, one behind the other. */
  readonly inputSize: number;
  readonly inputScale: InputScale;
  readonly outputs: readonly [NetworkOutput, ...NetworkOutput[]];
  readonly layers: readonly Layer[];
}

/** The layer where the layers that it reads have other places. */
export function movedTo<Each extends RawLayer>(
  layer: Each,
  placeOf: (place: number) => number,
): Each {
  switch (layer.kind) {
    case "add":
    case "product":
      return { ...layer, from: [placeOf(layer.from[0]), placeOf(layer.from[1])] };
    case "concat":
      return { ...layer, from: layer.from.map(placeOf) };
    default:
      return { ...layer, from: placeOf(layer.from) };
  }
}

/** A map whose elements are all seen, in the order in which they lie. */
export function plainView({ height, width, channels }: MapShape): MapView {
  return { height, width, channels, strides: [width * channels, channels, 1] };
}

/** Values of a row, as the channels of one pixel. */
export const rowMap = (size: number): MapShape => ({ height: 1, width: 1, channels: size });

/** Values of a row that follow each other. */
export const rowView = (first: number, size: number): MapView => ({
  ...plainView(rowMap(size)),
  ...(first === 0 ? {} : { first }),
});

/** `f (W x + b) + g = (f W) x + (f b + g)`; a factor for each output channel. */
export function scaled(
  layer: ConvolutionLayer,
  { factor, offset }: Pick<AffineLayer, "factor" | "offset">,
): ConvolutionLayer {
  const size = layer.weights.length / layer.output.channels;
  return {
    ...layer,
    weights: layer.weights.map((weight, at) => weight * (factor[Math.floor(at / size)] ?? 1)),
    bias: layer.bias.map((bias, channel) => bias * (factor[channel] ?? 1) + (offset[channel] ?? 0)),
  };
}

/** A layer that passes what it sees on, channel by channel. */
export function copyLayer(name: string, from: number, input: MapView): ConvolutionLayer {
  const { height, width, channels } = input;
  return {
    kind: "convolution",
    name,
    from,
    input,
    output: { height, width, channels },
    window: pixelWindow,
    groups: channels,
    weights: new Float64Array(channels).fill(1),
    bias: new Float64Array(channels),
    relu: false,
  };
}

/** A window of one pixel. */
export const pixelWindow: Window = {
  kernel: [1, 1],
  strides: [1, 1],
  dilations: [1, 1],
  padding: [0, 0],
};

import { composeElementwise, type ElementwiseProgram } from "@/lib/common/elementwise";
import { operandsOf } from "../integer/integer-graph";
import {
  type AffineLayer,
  type ConvolutionLayer,
  type ElementwiseLayer,
  isSumming,
  type Layer,
  movedTo,
  type ProductLayer,
  pixelWindow,
  plainView,
  type ReluLayer,
  type SummingLayer,
  scaled,
} from "../model/maps/layers";
import { isUniform, operation, refuseManyFunctions, uniform } from "./functions";

/** A layer that hardware has, or that moves into one. */
export type MovableLayer = Layer | AffineLayer | ReluLayer | ElementwiseLayer;

/**
 * Moves scales, offsets and activations into the layer before them where nothing else reads that; what cannot move
 * becomes a convolution of single pixels, channel by channel.
 */
export function simplify(raw: readonly MovableLayer[]): Layer[] {
  const readers = raw.map(() => 0);
  for (const place of raw.flatMap(operandsOf)) {
    if (place >= 0) readers[place] = (readers[place] ?? 0) + 1;
  }
  const layers: Layer[] = [];
  /** Where each of the raw layers went. */
  const moved: number[] = [];
  const placeOf = (place: number) => (place < 0 ? place : (moved[place] ?? 0));
  for (const layer of raw) {
    const [from = -1] = operandsOf(layer);
    const place = placeOf(from);
    const before = from >= 0 && readers[from] === 1 ? layers[place] : undefined;
    const merged = before ? merge(before, layer) : null;
    const both = before ? scaledProduct(before, layer, layers) : null;
    if (merged) layers[place] = merged;
    else if (both) {
      layers[place] = both.product;
      layers[both.product.from[1]] = both.right;
    } else layers.push(movedTo(standing(layer), placeOf));
    moved.push(merged || both ? place : layers.length - 1);
  }
  return layers;
}

function merge(before: Layer, layer: MovableLayer): Layer | null {
  if (!isSumming(before)) return null;
  const { relu, elementwise } = before;
  if (layer.kind === "relu" && !elementwise) return { ...before, relu: true };
  if (layer.kind === "relu") return looked(before, layer, [operation("Relu")]);
  if (layer.kind === "elementwise") return looked(before, layer, layer.program);
  if (layer.kind !== "affine") return null;
  if (elementwise && isUniform(layer)) return looked(before, { ...layer }, uniform(layer));
  return before.kind === "convolution" && !relu && !elementwise ? scaled(before, layer) : null;
}

/** A sum with one more function of its values; several become one. @throws {AppError} for very many in a row. */
function looked<Sum extends SummingLayer>(
  sum: Sum,
  { name, ...layer }: { readonly name: string; readonly operator?: string },
  program: ElementwiseProgram,
): Sum {
  const before = sum.relu ? [operation("Relu")] : (sum.elementwise ?? []);
  const elementwise = composeElementwise(before, program);
  refuseManyFunctions({ operator: layer.operator ?? "Relu", name }, elementwise);
  return { ...sum, relu: false, elementwise };
}

/** A scale behind products, moved into the convolution that makes their right operand, and their bias; null for anything else. */
function scaledProduct(
  product: Layer,
  layer: MovableLayer,
  layers: readonly Layer[],
): { readonly product: ProductLayer; readonly right: ConvolutionLayer } | null {
  if (product.kind !== "product" || product.relu || product.elementwise) return null;
  const right = layers[product.from[1]];
  if (layer.kind !== "affine" || right?.kind !== "convolution") return null;
  const { factor, offset } = layer;
  const bias = product.bias.map((each, o) => each * (factor[o] ?? 1) + (offset[o] ?? 0));
  const none = new Float64Array(factor.length);
  return { product: { ...product, bias }, right: scaled(right, { factor, offset: none }) };
}

/** A layer that hardware has. */
function standing(layer: MovableLayer): Layer {
  if (layer.kind !== "relu" && layer.kind !== "affine" && layer.kind !== "elementwise")
    return layer;
  const { channels } = layer.output;
  return {
    kind: "convolution",
    name: layer.name,
    from: layer.from,
    input: plainView(layer.output),
    output: layer.output,
    window: pixelWindow,
    groups: channels,
    ...coefficientsOf(layer, channels),
    relu: layer.kind === "relu",
    ...(layer.kind === "elementwise" ? { elementwise: layer.program } : {}),
  };
}

function coefficientsOf(layer: AffineLayer | ReluLayer | ElementwiseLayer, channels: number) {
  if (layer.kind === "affine") return { weights: layer.factor, bias: layer.offset };
  return { weights: new Float64Array(channels).fill(1), bias: new Float64Array(channels) };
}

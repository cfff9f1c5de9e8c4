import type { GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import type { MapShape, MapView } from "../../integer/integer-maps";

/** A tensor of the graph, one row of it: which layer made it, and which element of that layer's map each of its own is. */
export interface Value {
  /** Place of the layer; −1 for the input. */
  readonly layer: number;
  /** As the graph has it, without the batch. */
  readonly shape: readonly number[];
  /** Element of the map for each element of the tensor, row-major. */
  readonly order: Int32Array;
  /** Whether the graph's first dimension is the batch and the first one of `shape` in one. */
  readonly joinsBatch?: true;
  /** Of the input: how many scales each of its values had when this was read; left out for what layers make. */
  readonly scales?: Int32Array;
}

/** How many elements a shape has; 1 without dimensions. */
export const productOf = (sizes: readonly number[]): number =>
  sizes.reduce((product, size) => product * size, 1);

/** What a layer makes: a map seen as `[channels, height, width]`, or with fewer dimensions. */
export function newValue(layer: number, map: MapShape, shape: readonly number[]): Value {
  const { height, width, channels } = map;
  const order = Int32Array.from({ length: height * width * channels }, (_, at) => {
    const pixel = at % (height * width);
    return pixel * channels + Math.floor(at / (height * width));
  });
  return { layer, shape, order };
}

/** Whether the elements of a value follow each other in its map, from a place on. */
export const isInOrder = ({ order }: Pick<Value, "order">, first = 0): boolean =>
  order.every((place, at) => place === first + at);

/** The same elements in another shape, row-major. */
export function reshaped(value: Value, shape: readonly number[]): Value {
  const { joinsBatch: _, ...rest } = value;
  return { ...rest, shape };
}

/** The dimensions that the graph has in front of those of `shape`: the batch, unless it is one with the first of them. */
export const dimensionsBefore = ({ joinsBatch }: Value): 0 | 1 => (joinsBatch ? 0 : 1);

/** A value made of another, in the same rows of the batch. */
export const likeRowsOf = ({ joinsBatch }: Value, made: Value): Value =>
  joinsBatch ? { ...made, joinsBatch } : made;

/** @param axes Of the tensor without its batch: the new first one, the new second one, … */
export function transposed(value: Value, axes: readonly number[]): Value {
  const { shape, order } = value;
  const strides = stridesOf(shape);
  const sizes = axes.map((axis) => shape[axis] ?? 1);
  const steps = axes.map((axis) => strides[axis] ?? 0);
  const result = new Int32Array(order.length);
  const index = sizes.map(() => 0);
  for (let at = 0; at < result.length; at++) {
    let from = 0;
    for (const [axis, step] of steps.entries()) from += (index[axis] ?? 0) * step;
    result[at] = order[from] ?? 0;
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1;
      index[axis] = next === sizes[axis] ? 0 : next;
      if (index[axis] !== 0) break;
    }
  }
  return { ...value, shape: sizes, order: result };
}

/** Elements from one index to the next, for each dimension of a row-major tensor. */
export function stridesOf(shape: readonly number[]): number[] {
  return shape.map((_, axis) => productOf(shape.slice(axis + 1)));
}

/**
 * Sees the rows along the last dimension of a tensor as pixels.
 *
 * @returns The view, with the dimensions in front of the last one.
 * @throws {AppError} as `viewOf`.
 */
export function rowsOf(
  value: Value,
  node: GraphNode,
): { readonly view: MapView; readonly leading: readonly number[] } {
  const leading = value.shape.slice(0, -1);
  const channels = value.shape.at(-1) ?? 1;
  const [height = 1, width = 1] = leading.length === 2 ? leading : [1, productOf(leading)];
  const rows = reshaped(value, [height, width, channels]);
  return { view: viewOf(transposed(rows, [2, 0, 1]), node), leading };
}

/**
 * Sees a tensor of `[channels, height, width]`, or `[channels, width]`, as a map.
 *
 * @throws {AppError} when it is not laid out in equal steps, or not whole.
 */
export function viewOf(value: Value, node: GraphNode): MapView {
  const { shape, order } = value;
  const [channels = 1, height = 1, width = 1] =
    shape.length === 2 ? [shape[0], 1, shape[1]] : shape;
  if (shape.length !== 2 && shape.length !== 3) {
    throw refuse(node, `works on [batch, ${shape.join(", ")}], not on images or signals`);
  }
  const [first = 0] = order;
  const step = (apart: number, size: number) => (size > 1 ? (order[apart] ?? 0) - first : 0);
  const strides = [step(width, height), step(1, width), step(height * width, channels)] as const;
  const isEven = order.every((place, at) => {
    const x = at % width;
    const y = Math.floor(at / width) % height;
    const c = Math.floor(at / (width * height));
    return place === first + y * strides[0] + x * strides[1] + c * strides[2];
  });
  if (!isEven)
    throw refuse(node, "reads values whose order was mixed, which FPGA boards do not take");
  return { height, width, channels, strides, ...(first === 0 ? {} : { first }) };
}

import { eachTap } from "./convolution/window";
import { windowOf } from "./convolution/window-of";
import type { GraphNode } from "./graph";
import type { MapShape, MapView } from "./integer-maps";
import type { RealTensor } from "./real-tensor";

/** A node with its operands, as the interpreter runs it. */
export interface MapContext {
  readonly node: GraphNode;
  readonly input: (index: number) => RealTensor;
  readonly optional: (index: number) => RealTensor | undefined;
}

const sizeOf = (shape: readonly number[]): number =>
  shape.reduce((size, dimension) => size * dimension, 1);

const numberOf = (node: GraphNode, attribute: string, otherwise: number): number => {
  const value = node.attributes[attribute];
  return typeof value === "number" ? value : otherwise;
};

/** A tensor of `[rows, channels, height, width]`, or without height, as maps whose channels come first. */
function mapsOf({ shape }: RealTensor): { readonly rows: number; readonly view: MapView } {
  const [rows = 1, channels = 1, ...sizes] = shape;
  const [height = 1, width = 1] = sizes.length === 1 ? [1, sizes[0]] : sizes;
  return { rows, view: { height, width, channels, strides: [width, 1, height * width] } };
}

/** What each window sees, row after row: values of a channel, none for what lies outside. */
function windows(
  { node, input }: MapContext,
  kernel: readonly number[],
): {
  readonly rows: number;
  readonly view: MapView;
  readonly output: MapShape;
  readonly shape: readonly number[];
  readonly places: readonly (readonly number[])[];
} {
  const { rows, view } = mapsOf(input(0));
  const dimensions = input(0).shape.length - 2;
  const { window, height, width } = windowOf(node, view, kernel, dimensions);
  const output = { height, width, channels: view.channels };
  const places = Array.from({ length: height * width }, (_, pixel) => {
    const seen: number[] = [];
    eachTap({ input: view, output, window }, pixel, (place) => seen.push(place));
    return seen;
  });
  const shape = dimensions === 1 ? [width] : [height, width];
  return { rows, view, output, shape, places };
}

/** Conv in one or two dimensions. */
function convolution(context: MapContext): RealTensor {
  const { node, input, optional } = context;
  const kernel = input(1);
  const [channels = 1, inputs = 1, ...sizes] = kernel.shape;
  const { rows, view, shape, places } = windows(context, sizes);
  const groups = numberOf(node, "group", 1);
  const perGroup = channels / groups;
  const taps = sizeOf(sizes);
  const { values } = input(0);
  const perRow = sizeOf(input(0).shape.slice(1));
  const step = view.strides[2];
  const bias = optional(2);
  const result = new Float64Array(rows * channels * places.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let output = 0; output < channels; output++) {
      const first = row * perRow + Math.floor(output / perGroup) * inputs * step;
      for (const seen of places) {
        let sum = bias?.values[output] ?? 0;
        for (let c = 0; c < inputs; c++) {
          for (let tap = 0; tap < taps; tap++) {
            const place = seen[tap] ?? -1;
            if (place < 0) continue;
            const weight = kernel.values[(output * inputs + c) * taps + tap] ?? 0;
            sum += weight * (values[first + c * step + place] ?? 0);
          }
        }
        result[at++] = sum;
      }
    }
  }
  return { shape: [rows, channels, ...shape], values: result };
}

/** Each channel by itself: the largest value of each window, or the average. */
function pooled(
  context: MapContext,
  kernel: readonly number[],
  reduce: (values: readonly number[], size: number) => number,
): RealTensor {
  const { rows, view, shape, places } = windows(context, kernel);
  const { values } = context.input(0);
  const step = view.strides[2];
  const result = new Float64Array(rows * view.channels * places.length);
  let at = 0;
  for (let map = 0; map < rows * view.channels; map++) {
    for (const seen of places) {
      const inside = seen.filter((place) => place >= 0);
      const own = inside.map((place) => values[map * step + place] ?? 0);
      result[at++] = reduce(own, seen.length);
    }
  }
  return { shape: [rows, view.channels, ...shape], values: result };
}

const kernelOf = ({ node, input }: MapContext): readonly number[] => {
  const kernel = node.attributes["kernel_shape"];
  return Array.isArray(kernel) ? kernel.map(Number) : input(0).shape.slice(2);
};

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function maxPool(context: MapContext): RealTensor {
  return pooled(context, kernelOf(context), (values) => Math.max(...values));
}

function averagePool(context: MapContext): RealTensor {
  const countsPadding = numberOf(context.node, "count_include_pad", 0) === 1;
  return pooled(
    context,
    kernelOf(context),
    (values, size) => total(values) / (countsPadding ? size : values.length),
  );
}

/** Inference only: the statistics are constants. */
function batchNormalization({ node, input }: MapContext): RealTensor {
  const { shape, values } = input(0);
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((index) => input(index).values);
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const inner = sizeOf(shape.slice(2));
  const channels = shape[1] ?? 1;
  return {
    shape,
    values: Float64Array.from(values, (value, at) => {
      const c = Math.floor(at / inner) % channels;
      const deviation = Math.sqrt((variance?.[c] ?? 1) + epsilon);
      return ((value - (mean?.[c] ?? 0)) / deviation) * (scale?.[c] ?? 1) + (bias?.[c] ?? 0);
    }),
  };
}

function transpose({ node, input }: MapContext): RealTensor {
  const { shape, values } = input(0);
  const given = node.attributes["perm"];
  const axes = Array.isArray(given) ? given.map(Number) : [...shape.keys()].reverse();
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const result = new Float64Array(values.length);
  const sizes = axes.map((axis) => shape[axis] ?? 1);
  for (let at = 0; at < result.length; at++) {
    let rest = at;
    let from = 0;
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      const size = sizes[axis] ?? 1;
      from += (rest % size) * (strides[axes[axis] ?? 0] ?? 0);
      rest = Math.floor(rest / size);
    }
    result[at] = values[from] ?? 0;
  }
  return { shape: sizes, values: result };
}

/** Any number of tensors, one behind the other along an axis. */
function concat({ node, input }: MapContext): RealTensor {
  const parts = node.inputs.map((_, index) => input(index));
  const first = parts[0]?.shape ?? [];
  const given = numberOf(node, "axis", 1);
  const axis = given < 0 ? given + first.length : given;
  const outer = sizeOf(first.slice(0, axis));
  const lengths = parts.map(({ shape }) => sizeOf(shape.slice(axis)));
  const values = new Float64Array(outer * total(lengths));
  let at = 0;
  for (let block = 0; block < outer; block++) {
    for (const [index, part] of parts.entries()) {
      const length = lengths[index] ?? 0;
      values.set(part.values.subarray(block * length, (block + 1) * length), at);
      at += length;
    }
  }
  return { shape: first.with(axis, total(parts.map(({ shape }) => shape[axis] ?? 0))), values };
}

function reduceMean({ node, input, optional }: MapContext): RealTensor {
  const { shape, values } = input(0);
  const attribute = node.attributes["axes"];
  const given = optional(1)?.values ?? (Array.isArray(attribute) ? attribute.map(Number) : []);
  const axes = new Set(Array.from(given, (axis) => (axis < 0 ? axis + shape.length : axis)));
  const over = axes.size > 0 ? axes : new Set(shape.keys());
  const kept = shape.map((size, axis) => (over.has(axis) ? 1 : size));
  const sums = new Float64Array(sizeOf(kept));
  for (const [at, value] of values.entries()) {
    let rest = at;
    let to = 0;
    let stride = 1;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      if (!over.has(axis)) {
        to += (rest % size) * stride;
        stride *= size;
      }
      rest = Math.floor(rest / size);
    }
    sums[to] = (sums[to] ?? 0) + value;
  }
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const count = values.length / sums.length;
  return {
    shape: keeps ? kept : shape.filter((_, axis) => !over.has(axis)),
    values: sums.map((sum) => sum / count),
  };
}

function shapeOf({ input }: MapContext): RealTensor {
  const { shape } = input(0);
  return { shape: [shape.length], values: Float64Array.from(shape) };
}

/** Along the first axis of a vector, as shapes are picked apart. */
function gather({ input }: MapContext): RealTensor {
  const [list, places] = [input(0).values, input(1)];
  return {
    shape: places.shape,
    values: Float64Array.from(places.values, (place) => list.at(place) ?? 0),
  };
}

function slice({ input }: MapContext): RealTensor {
  const values = Float64Array.from(input(0).values).slice(input(1).values[0], input(2).values[0]);
  return { shape: [values.length], values };
}

/** With dimensions of 1 put in or taken out. */
function unsqueeze({ node, input, optional }: MapContext): RealTensor {
  const { shape, values } = input(0);
  const axes = axesOf(node, optional(1)) ?? [];
  const rank = shape.length + axes.length;
  const places = axes.map((axis) => (axis < 0 ? axis + rank : axis));
  const rest = [...shape];
  const sizes = Array.from({ length: rank }, (_, axis) =>
    places.includes(axis) ? 1 : (rest.shift() ?? 1),
  );
  return { shape: sizes, values };
}

function squeeze({ node, input, optional }: MapContext): RealTensor {
  const { shape, values } = input(0);
  const axes = axesOf(node, optional(1))?.map((axis) => (axis < 0 ? axis + shape.length : axis));
  return {
    shape: shape.filter((size, axis) => (axes ? !axes.includes(axis) : size !== 1)),
    values,
  };
}

function axesOf(node: GraphNode, list: RealTensor | undefined): readonly number[] | null {
  const attribute = node.attributes["axes"];
  if (list) return Array.from(list.values);
  return Array.isArray(attribute) ? attribute.map(Number) : null;
}

/** Every operator here, by its name. */
export const mapOperators: Readonly<Record<string, (context: MapContext) => RealTensor>> = {
  Conv: convolution,
  MaxPool: maxPool,
  GlobalMaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: averagePool,
  BatchNormalization: batchNormalization,
  Transpose: transpose,
  Concat: concat,
  ReduceMean: reduceMean,
  Shape: shapeOf,
  Gather: gather,
  Slice: slice,
  Unsqueeze: unsqueeze,
  Squeeze: squeeze,
};

import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";

/** A node with its operands, as the interpreter runs it. */
export interface OperatorContext {
  readonly node: GraphNode;
  readonly input: (index: number) => RealTensor;
  readonly optional: (index: number) => RealTensor | undefined;
}

export const sizeOf = (shape: readonly number[]): number =>
  shape.reduce((size, dimension) => size * dimension, 1);

export const numberOf = (node: GraphNode, attribute: string, otherwise: number): number => {
  const value = node.attributes[attribute];
  return typeof value === "number" ? value : otherwise;
};

export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function transpose({ node, input }: OperatorContext): RealTensor {
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

/** One value around a tensor. @see ONNX operator Pad: `pads` are all beginnings, then all ends. */
function padded({ node, input, optional }: OperatorContext): RealTensor {
  const { shape, values } = input(0);
  const pads = Array.from(optional(1)?.values ?? [node.attributes["pads"] ?? []].flat(), Number);
  if ((node.attributes["mode"] ?? "constant") !== "constant" || node.inputs[3]) {
    throw refuse(node, "pads with more than a constant");
  }
  const sizes = shape.map(
    (size, axis) => size + (pads[axis] ?? 0) + (pads[axis + shape.length] ?? 0),
  );
  const value = optional(2)?.values[0] ?? numberOf(node, "value", 0);
  const result = new Float64Array(sizeOf(sizes)).fill(value);
  for (let from = 0; from < values.length; from++) {
    let rest = from;
    let at = 0;
    let stride = 1;
    let isInside = true;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      const place = (rest % size) + (pads[axis] ?? 0);
      isInside &&= place >= 0 && place < (sizes[axis] ?? 1);
      at += place * stride;
      stride *= sizes[axis] ?? 1;
      rest = Math.floor(rest / size);
    }
    if (isInside) result[at] = values[from] ?? 0;
  }
  return { shape: sizes, values: result };
}

/** Any number of tensors, one behind the other along an axis. */
function concat({ node, input }: OperatorContext): RealTensor {
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

function reduceMean({ node, input, optional }: OperatorContext): RealTensor {
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

function shapeOf({ input }: OperatorContext): RealTensor {
  const { shape } = input(0);
  return { shape: [shape.length], values: Float64Array.from(shape) };
}

/** Along the first axis of a vector, as shapes are picked apart. */
function gather({ input }: OperatorContext): RealTensor {
  const [list, places] = [input(0).values, input(1)];
  return {
    shape: places.shape,
    values: Float64Array.from(places.values, (place) => list.at(place) ?? 0),
  };
}

function slice({ input }: OperatorContext): RealTensor {
  const values = Float64Array.from(input(0).values).slice(input(1).values[0], input(2).values[0]);
  return { shape: [values.length], values };
}

/** With dimensions of 1 put in or taken out. */
function unsqueeze({ node, input, optional }: OperatorContext): RealTensor {
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

function squeeze({ node, input, optional }: OperatorContext): RealTensor {
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
export const shapeOperators: Readonly<Record<string, (context: OperatorContext) => RealTensor>> = {
  Pad: padded,
  Transpose: transpose,
  Concat: concat,
  ReduceMean: reduceMean,
  Shape: shapeOf,
  Gather: gather,
  Slice: slice,
  Unsqueeze: unsqueeze,
  Squeeze: squeeze,
};

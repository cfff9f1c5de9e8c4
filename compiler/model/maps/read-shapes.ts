import type { GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import { numberOf } from "./chain";
import { productOf, reshaped, transposed, type Value } from "./value";

/** Operators that only change how a tensor is seen. @param list Sizes or axes at the second input, if there are any. */
type Reader = (node: GraphNode, own: Value, list: readonly number[] | null) => Value;

const whole = (node: GraphNode, what: string) => refuse(node, `${what} does not keep rows whole`);

const axesOf = (node: GraphNode, list: readonly number[] | null): readonly number[] | null => {
  const attribute = node.attributes["axes"];
  return list ?? (Array.isArray(attribute) ? attribute.map(Number) : null);
};

export const shapeReaders: Readonly<Record<string, Reader>> = {
  Identity: (_, own) => own,
  Dropout: (_, own) => own,
  Cast: (node, own) => {
    // Element types of ONNX: 1 float, 10 float16, 11 double, 16 bfloat16.
    if ([1, 10, 11, 16].includes(numberOf(node, "to", 1))) return own;
    throw refuse(node, "to an integer type rounds values");
  },
  Flatten: (node, own) => {
    const axis = numberOf(node, "axis", 1);
    const from = axis < 0 ? axis + own.shape.length + 1 : axis;
    if (from !== 1) throw whole(node, `with axis ${axis}`);
    return reshaped(own, [productOf(own.shape)]);
  },
  Reshape: (node, own, list) => {
    const sizes = list ?? [];
    const total = productOf(own.shape);
    const [batch, ...inner] = sizes.map((size, axis) =>
      size === 0 ? (axis === 0 ? -1 : (own.shape[axis - 1] ?? 0)) : size,
    );
    const known = productOf(inner.filter((size) => size !== -1));
    const settled = inner.map((size) => (size === -1 ? total / known : size));
    const isWhole = settled.every((size) => Number.isInteger(size) && size > 0);
    if ((batch !== -1 && batch !== 1) || !isWhole || productOf(settled) !== total) {
      throw whole(node, `to [${sizes.join(", ")}]`);
    }
    return reshaped(own, settled);
  },
  Transpose: (node, own) => {
    const given = node.attributes["perm"];
    const rank = own.shape.length + 1;
    const axes = Array.isArray(given)
      ? given.map(Number)
      : Array.from({ length: rank }, (_, at) => rank - 1 - at);
    if (axes[0] !== 0 || axes.length !== rank) throw whole(node, `by [${axes.join(", ")}]`);
    return transposed(
      own,
      axes.slice(1).map((axis) => axis - 1),
    );
  },
  Squeeze: (node, own, list) => {
    const rank = own.shape.length + 1;
    const axes = axesOf(node, list)?.map((axis) => (axis < 0 ? axis + rank : axis));
    const drops = (axis: number) => (axes ? axes.includes(axis + 1) : own.shape[axis] === 1);
    if (axes?.includes(0) || own.shape.some((size, axis) => drops(axis) && size !== 1)) {
      throw whole(node, "over these axes");
    }
    return reshaped(
      own,
      own.shape.filter((_, axis) => !drops(axis)),
    );
  },
  Unsqueeze: (node, own, list) => {
    const axes = axesOf(node, list) ?? [];
    const rank = own.shape.length + 1 + axes.length;
    const places = axes.map((axis) => (axis < 0 ? axis + rank : axis));
    if (places.includes(0)) throw whole(node, "over these axes");
    const rest = [...own.shape];
    const sizes = Array.from({ length: rank - 1 }, (_, axis) =>
      places.includes(axis + 1) ? 1 : (rest.shift() ?? 1),
    );
    return reshaped(own, sizes);
  },
};

import type { RealTensor } from "../graph/real-tensor";
import type { NodeView } from "../model/maps/chain";
import { dimensionsBefore, transposed, type Value } from "../model/maps/value";
import { type Evaluation, type Operator, sizeOf } from "./operator";
import { tornRows } from "./torn-rows";

function evaluate({ node, input }: Evaluation): RealTensor {
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

function read({ node, value }: NodeView): Value {
  const own = value(0);
  const given = node.attributes["perm"];
  const before = dimensionsBefore(own);
  const rank = own.shape.length + before;
  const axes = Array.isArray(given)
    ? given.map(Number)
    : Array.from({ length: rank }, (_, at) => rank - 1 - at);
  if (axes[0] !== 0 || axes.length !== rank) throw tornRows(node, `by [${axes.join(", ")}]`);
  return transposed(
    own,
    axes.slice(before).map((axis) => axis - before),
  );
}

export const transpose: Operator = {
  shape: ({ node, shapes: [shape] }) => {
    if (shape === undefined) return undefined;
    const order = node.attributes["perm"];
    if (!Array.isArray(order)) return shape.toReversed();
    return order.map((from) => shape[Number(from)] ?? -1);
  },
  evaluate,
  folds: true,
  read,
  takesJoinedRows: true,
};

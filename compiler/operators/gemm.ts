import { fail } from "@/lib/common/errors";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { quoted } from "../graph/words";
import { needConstant } from "../model/maps/chain";
import { combined, mapped } from "./broadcast";
import { fullyConnected } from "./fully-connected";
import { checkInner, product } from "./mat-mul";
import { type Evaluation, numberOf, type Operator, type Shape, type ShapeView } from "./operator";

function shape({ node, shapes: [left, right, added] }: ShapeView): Shape {
  if (left?.length !== 2 || right?.length !== 2) return undefined;
  const [a, b] = node.attributes["transA"] === 1 ? left.toReversed() : left;
  const [c, d] = node.attributes["transB"] === 1 ? right.toReversed() : right;
  checkInner(node, b ?? -1, c ?? -1);
  const columns = added?.at(-1) ?? 1;
  if (columns > 1 && (d ?? -1) >= 0 && columns !== d) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node ${quoted(node.name)} adds ${columns} numbers to ${d} columns.`,
    );
  }
  return [a ?? -1, d ?? -1];
}

function evaluate({ node, input, optional }: Evaluation): RealTensor {
  const left = numberOf(node, "transA", 0) === 1 ? transposed(input(0)) : input(0);
  const right = numberOf(node, "transB", 0) === 1 ? transposed(input(1)) : input(1);
  const alpha = numberOf(node, "alpha", 1);
  const beta = numberOf(node, "beta", 1);
  const result = mapped(product(node, left, right), (value) => alpha * value);
  const added = optional(2);
  if (added === undefined) return result;
  const pair = [result, mapped(added, (value) => beta * value)];
  return combined({ node, input: (index) => pair[index] ?? result }, (a, b) => a + b);
}

function transposed({ shape: [rows = 0, columns = 0], values }: RealTensor): RealTensor {
  const result = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const [row, column] = [Math.floor(index / columns), index % columns];
    result[column * rows + row] = values[index] ?? 0;
  }
  return { shape: [columns, rows], values: result };
}

export const gemm: Operator = {
  shape,
  evaluate,
  isLayer: true,
  takesJoinedRows: true,
  read: (view) => {
    const { node, constant } = view;
    if (constant(0)) throw refuse(node, "multiplies a constant by the input");
    if (numberOf(node, "transA", 0) === 1) throw refuse(node, "turns its input round");
    const matrix = needConstant(view, 1);
    const added = node.inputs[2] ? constant(2) : null;
    if (node.inputs[2] && !added) throw refuse(node, "needs a constant bias");
    return fullyConnected(view, {
      matrix,
      byOutput: numberOf(node, "transB", 0) === 1,
      alpha: numberOf(node, "alpha", 1),
      bias: added && { constant: added, beta: numberOf(node, "beta", 1) },
    });
  },
};

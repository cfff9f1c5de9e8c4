import { fail } from "@/lib/common/errors";
import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { quoted } from "../graph/words";
import { append, type NodeView } from "../model/maps/chain";
import { copyLayer } from "../model/maps/layers";
import { likeRowsOf, reshaped, transposed, type Value, viewOf } from "../model/maps/value";
import { broadcastShape, misfit } from "./broadcast";
import { fullyConnected } from "./fully-connected";
import { type Operator, type Shape, type ShapeView, sizeOf } from "./operator";

function shape({ node, shapes: [left, right] }: ShapeView): Shape {
  if (left === undefined || right === undefined || left.length < 1 || right.length < 1) {
    return undefined;
  }
  const columns = left.at(-1) ?? -1;
  const rows = (right.length === 1 ? right[0] : right.at(-2)) ?? -1;
  checkInner(node, columns, rows);
  const batch = broadcastShape({ node, shapes: [left.slice(0, -2), right.slice(0, -2)] });
  if (batch === undefined) return undefined;
  return [
    ...batch,
    ...(left.length === 1 ? [] : [left.at(-2) ?? -1]),
    ...(right.length === 1 ? [] : [right.at(-1) ?? -1]),
  ];
}

/** @throws {AppError} `MODEL_SHAPE_INVALID` for a matrix with another number of rows than columns before it. */
export function checkInner(node: GraphNode, columns: number, rows: number): void {
  if (columns < 0 || rows < 0 || columns === rows) return;
  throw fail(
    "MODEL_SHAPE_INVALID",
    `Node ${quoted(node.name)} multiplies ${columns} columns with ${rows} rows.`,
    { hint: "The layers before and after it do not fit together; export the model again." },
  );
}

/**
 * Rows of the left times a matrix, or each matrix of the left times its own; the left may have any number of leading
 * dimensions.
 */
export function product(node: GraphNode, left: RealTensor, right: RealTensor): RealTensor {
  const [rows = 0, columns = 0] = right.shape.slice(-2);
  const inner = left.shape.at(-1) ?? 0;
  const matrices = right.shape.slice(0, -2);
  const isAlike = matrices.every((size, axis) => size === left.shape[axis]);
  const hasRows = matrices.length === 0 || left.shape.length === right.shape.length;
  if (right.shape.length < 2 || inner !== rows || !isAlike || !hasRows) {
    throw misfit(node, left, right);
  }
  const values = new Float64Array(sizeOf([...left.shape.slice(0, -1), columns]));
  const perMatrix = values.length / columns / sizeOf(matrices);
  for (let row = 0; row * columns < values.length; row += 1) {
    const first = matrices.length === 0 ? 0 : Math.floor(row / perMatrix) * rows;
    for (let index = 0; index < inner; index += 1) {
      const factor = left.values[row * inner + index] ?? 0;
      if (factor === 0) continue;
      for (let column = 0; column < columns; column += 1) {
        const target = row * columns + column;
        values[target] =
          (values[target] ?? 0) + factor * (right.values[(first + index) * columns + column] ?? 0);
      }
    }
  }
  return { shape: [...left.shape.slice(0, -1), columns], values };
}

function read(view: NodeView): Value {
  const { node, constant } = view;
  const matrix = constant(1);
  if (matrix) return fullyConnected(view, { matrix, byOutput: false, alpha: 1, bias: null });
  if (constant(0)) throw refuse(node, "multiplies a constant by a computed value");
  return ofTwoValues(view);
}

/** Both as matrices of `[rows, columns]`, as many as the dimensions in front say; the right ones are copied by columns. */
function ofTwoValues({ node, chain, value }: NodeView): Value {
  const [left, right] = [value(0), value(1)];
  const [leading, others] = [left.shape.slice(0, -2), right.shape.slice(0, -2)];
  const [rows = 0, inner = 0] = left.shape.slice(-2);
  const [own = 0, columns = 0] = right.shape.slice(-2);
  if (
    left.shape.length < 2 ||
    inner !== own ||
    leading.join() !== others.join() ||
    left.joinsBatch !== right.joinsBatch
  ) {
    throw refuse(
      node,
      `multiplies [batch, ${left.shape.join(", ")}] by [batch, ${right.shape.join(", ")}], which are not as many matrices`,
    );
  }
  const matrices = sizeOf(leading);
  const seen = (operand: Value, shape: readonly number[], axes: readonly number[]) =>
    viewOf(transposed(reshaped(operand, shape), axes), node);
  const byColumn = append(
    chain,
    copyLayer(
      `${node.name}/columns`,
      right.layer,
      seen(right, [matrices, inner, columns], [2, 0, 1]),
    ),
  );
  const layer = append(chain, {
    kind: "product",
    name: node.name,
    from: [left.layer, byColumn],
    input: seen(left, [matrices, rows, inner], [2, 1, 0]),
    output: { height: rows * matrices, width: 1, channels: columns },
    bias: new Float64Array(columns),
    relu: false,
  });
  const order = Int32Array.from({ length: matrices * rows * columns }, (_, at) => {
    const [matrix, row] = [Math.floor(at / columns / rows), Math.floor(at / columns) % rows];
    return (row * matrices + matrix) * columns + (at % columns);
  });
  return likeRowsOf(left, { layer, shape: [...leading, rows, columns], order });
}

export const matMul: Operator = {
  shape,
  evaluate: ({ node, input }) => product(node, input(0), input(1)),
  folds: true,
  isLayer: true,
  read,
  takesJoinedRows: true,
};

import { fail } from "@/lib/common/errors";
import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { refuse } from "../graph/refuse";
import { quoted } from "../graph/words";
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

/** Rows of the left times a matrix; the left may have any number of leading dimensions. */
export function product(node: GraphNode, left: RealTensor, right: RealTensor): RealTensor {
  const [rows, columns] = right.shape;
  const inner = left.shape.at(-1);
  if (right.shape.length !== 2 || rows === undefined || columns === undefined || inner !== rows) {
    throw misfit(node, left, right);
  }
  const values = new Float64Array(sizeOf([...left.shape.slice(0, -1), columns]));
  for (let row = 0; row * columns < values.length; row += 1) {
    for (let index = 0; index < inner; index += 1) {
      const factor = left.values[row * inner + index] ?? 0;
      if (factor === 0) continue;
      for (let column = 0; column < columns; column += 1) {
        const target = row * columns + column;
        values[target] =
          (values[target] ?? 0) + factor * (right.values[index * columns + column] ?? 0);
      }
    }
  }
  return { shape: [...left.shape.slice(0, -1), columns], values };
}

export const matMul: Operator = {
  shape,
  evaluate: ({ node, input }) => product(node, input(0), input(1)),
  folds: true,
  isLayer: true,
  read: (view) => {
    const { node, constant } = view;
    const matrix = constant(1);
    if (!matrix) throw refuse(node, "needs constant weights on its right");
    return fullyConnected(view, { matrix, byOutput: false, alpha: 1, bias: null });
  },
};

import { fail } from "@/lib/common/errors";
import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { quoted, shapeInWords } from "../graph/words";
import { type Evaluation, type Shape, type ShapeView, sizeOf } from "./operator";

/** The shape of two operands whose dimensions of 1 are repeated. @throws {AppError} `MODEL_SHAPE_INVALID` */
export function broadcastShape({
  node,
  shapes: [left, right],
}: Omit<ShapeView, "constant">): Shape {
  if (left === undefined || right === undefined) return undefined;
  const rank = Math.max(left.length, right.length);
  return Array.from({ length: rank }, (_, index) => {
    const a = left[left.length - rank + index] ?? 1;
    const b = right[right.length - rank + index] ?? 1;
    if (a === b || b === 1) return a;
    if (a === 1 || a < 0) return b;
    if (b < 0) return a;
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node ${quoted(node.name)} combines shapes ${shapeInWords(left)} and ${shapeInWords(right)}, which do not fit.`,
    );
  });
}

/** Element by element, dimensions of 1 repeated. @throws {AppError} `MODEL_SHAPE_INVALID` */
export function combined(
  { node, input }: Pick<Evaluation, "node" | "input">,
  change: (a: number, b: number) => number,
): RealTensor {
  const [left, right] = [input(0), input(1)];
  const rank = Math.max(left.shape.length, right.shape.length);
  const shape = Array.from({ length: rank }, (_, axis) => {
    const a = left.shape[left.shape.length - rank + axis] ?? 1;
    const b = right.shape[right.shape.length - rank + axis] ?? 1;
    if (a !== b && a !== 1 && b !== 1) throw misfit(node, left, right);
    return a === 1 ? b : a;
  });
  const values = new Float64Array(sizeOf(shape));
  const [indexLeft, indexRight] = [repeating(left.shape, shape), repeating(right.shape, shape)];
  for (let index = 0; index < values.length; index += 1) {
    values[index] = change(
      left.values[indexLeft(index)] ?? 0,
      right.values[indexRight(index)] ?? 0,
    );
  }
  return { shape, values };
}

/** Every element by itself. */
export function mapped(
  { shape, values }: RealTensor,
  change: (value: number) => number,
): RealTensor {
  return { shape, values: Float64Array.from(values, change) };
}

/** The error for operands that cannot be combined. */
export function misfit(node: GraphNode, left: RealTensor, right: RealTensor) {
  const shapes = [left, right].map(({ shape }) => `[${shape.join(", ")}]`);
  return fail(
    "MODEL_SHAPE_INVALID",
    `Node \`${node.name}\` cannot combine shapes ${shapes.join(" and ")}.`,
  );
}

/** Maps a flat index of a result to that of an operand whose dimensions of 1 are repeated. */
function repeating(from: readonly number[], to: readonly number[]): (index: number) => number {
  const size = sizeOf(from);
  if (size === sizeOf(to)) return (index) => index;
  const offset = to.length - from.length;
  return (index) => {
    let rest = index;
    let stride = 1;
    let flat = 0;
    for (let axis = to.length - 1; axis >= offset; axis -= 1) {
      const dimension = to[axis] ?? 1;
      const own = from[axis - offset] ?? 1;
      if (own !== 1) flat += (rest % dimension) * stride;
      stride *= own;
      rest = Math.floor(rest / dimension);
    }
    return flat;
  };
}

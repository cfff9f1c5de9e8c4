import { elementwiseOperators } from "@/lib/common/elementwise";
import { fail } from "@/lib/common/errors";
import type { GraphConstant, GraphNode } from "../../graph/graph";
import { limits } from "./limits";
import { quoted, shapeInWords } from "./words";

type Shape = readonly number[];
type Known = Shape | undefined;

/** What a rule sees of its node: shapes of the inputs as far as known, and constants among them. */
interface Context {
  readonly node: GraphNode;
  readonly shapes: readonly Known[];
  readonly constant: (index: number) => GraphConstant | undefined;
}

type Rule = (context: Context) => Known;

/** Shapes of a node's outputs in so far as we know its operator; −1 is a free dimension. */
export function inferShape(context: Context): Known {
  if (context.node.operator === "Quant") return sameAsFirst(context);
  if (context.node.domain !== "") return undefined;
  return rules[context.node.operator]?.(context);
}

const sameAsFirst: Rule = ({ shapes }) => shapes[0];

const broadcast: Rule = ({ node, shapes: [left, right] }) => {
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
};

const matMul: Rule = ({ node, shapes: [left, right] }) => {
  if (left === undefined || right === undefined || left.length < 1 || right.length < 1) {
    return undefined;
  }
  const columns = left.at(-1) ?? -1;
  const rows = (right.length === 1 ? right[0] : right.at(-2)) ?? -1;
  checkInner(node, columns, rows);
  const batch = broadcast({
    node,
    shapes: [left.slice(0, -2), right.slice(0, -2)],
    constant: () => undefined,
  });
  if (batch === undefined) return undefined;
  return [
    ...batch,
    ...(left.length === 1 ? [] : [left.at(-2) ?? -1]),
    ...(right.length === 1 ? [] : [right.at(-1) ?? -1]),
  ];
};

const gemm: Rule = ({ node, shapes: [left, right, added] }) => {
  if (left?.length !== 2 || right?.length !== 2) return undefined;
  const [a, b] = node.attributes["transA"] === 1 ? left.toReversed() : left;
  const [c, d] = node.attributes["transB"] === 1 ? right.toReversed() : right;
  checkInner(node, b ?? -1, c ?? -1);
  const shape = [a ?? -1, d ?? -1];
  const columns = added?.at(-1) ?? 1;
  if (columns > 1 && (d ?? -1) >= 0 && columns !== d) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node ${quoted(node.name)} adds ${columns} numbers to ${d} columns.`,
    );
  }
  return shape;
};

function checkInner(node: GraphNode, columns: number, rows: number): void {
  if (columns < 0 || rows < 0 || columns === rows) return;
  throw fail(
    "MODEL_SHAPE_INVALID",
    `Node ${quoted(node.name)} multiplies ${columns} columns with ${rows} rows.`,
    { hint: "The layers before and after it do not fit together; export the model again." },
  );
}

/** The product of dimensions, −1 if any is free. */
const sizeOf = (dimensions: Shape): number =>
  dimensions.some((dimension) => dimension < 0)
    ? -1
    : dimensions.reduce((product, dimension) => product * dimension, 1);

const flatten: Rule = ({ node, shapes: [shape] }) => {
  if (shape === undefined) return undefined;
  const axis = numberOf(node, "axis", 1);
  const split = axis < 0 ? axis + shape.length : axis;
  return [sizeOf(shape.slice(0, split)), sizeOf(shape.slice(split))];
};

const reshape: Rule = ({ node, shapes: [shape], constant }) => {
  const attribute = node.attributes["shape"];
  const target = constant(1)?.values ?? (Array.isArray(attribute) ? attribute : undefined);
  if (target === undefined) return undefined;
  if (target.length > limits.rank || [...target].some((size) => !isDimension(size))) {
    throw fail("MODEL_SHAPE_INVALID", `Node ${quoted(node.name)} reshapes to an impossible shape.`);
  }
  const allowZero = numberOf(node, "allowzero", 0) === 1;
  const wanted = [...target].map((dimension, index) =>
    dimension === 0 && !allowZero ? (shape?.[index] ?? -1) : dimension,
  );
  const total = shape === undefined ? -1 : sizeOf(shape);
  // With a free batch in front that stays in front, the rest must still hold the same number of elements.
  if (total < 0) return wanted;
  const others = sizeOf(wanted.filter((dimension) => dimension >= 0));
  const free = wanted.filter((dimension) => dimension < 0).length;
  if (free > 1) return wanted;
  if (free === 0 ? others !== total : others === 0 || total % others !== 0) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node ${quoted(node.name)} reshapes ${total} elements to ${shapeInWords(wanted)}.`,
    );
  }
  return wanted.map((dimension) => (dimension < 0 ? total / others : dimension));
};

const isDimension = (size: number) => Number.isSafeInteger(size) && size >= -1;

const argMax: Rule = ({ node, shapes: [shape] }) => {
  if (shape === undefined) return undefined;
  const axis = numberOf(node, "axis", 0);
  const at = axis < 0 ? axis + shape.length : axis;
  if (numberOf(node, "keepdims", 1) === 0) return shape.filter((_, index) => index !== at);
  return shape.map((dimension, index) => (index === at ? 1 : dimension));
};

const transpose: Rule = ({ node, shapes: [shape] }) => {
  if (shape === undefined) return undefined;
  const order = node.attributes["perm"];
  if (!Array.isArray(order)) return shape.toReversed();
  return order.map((from: number) => shape[from] ?? -1);
};

function numberOf(node: GraphNode, attribute: string, otherwise: number): number {
  const value = node.attributes[attribute];
  return typeof value === "number" ? value : otherwise;
}

const rules: Readonly<Record<string, Rule>> = {
  Add: broadcast,
  Sub: broadcast,
  Mul: broadcast,
  Div: broadcast,
  MatMul: matMul,
  Gemm: gemm,
  Flatten: flatten,
  Reshape: reshape,
  ArgMax: argMax,
  ArgMin: argMax,
  Transpose: transpose,
  ...Object.fromEntries(
    [
      ..."Cast Clip DequantizeLinear Dropout Identity LogSoftmax QuantizeLinear Softmax".split(" "),
      ...Object.keys(elementwiseOperators).filter((name) => elementwiseOperators[name] === 1),
    ].map((operator) => [operator, sameAsFirst]),
  ),
};

import { applyElementwise, elementwiseOperators } from "@/lib/common/elementwise";
import { fail } from "@/lib/common/errors";
import { clipAttributes, parametersOf } from "../graph/elementwise-node";
import type { Graph, GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { qonnxDomain } from "../model/quantizer";
import { picked, scaled } from "./interpret-classical";
import { mapOperators } from "./interpret-maps";
import { dequantizedLinear, quantized, quantizedLinear } from "./interpret-quantizers";
import { shapeOperators } from "./interpret-shapes";
import { treeEnsemble } from "./interpret-trees";

export interface Context {
  readonly node: GraphNode;
  readonly opset: number;
  readonly input: (index: number) => RealTensor;
  readonly optional: (index: number) => RealTensor | undefined;
}

/**
 * Runs a graph in floating point: the answer that every fixed-point version of it is measured against. Sums are kept in
 * double precision, so it is at least as exact as a float32 run.
 *
 * @param inputs One tensor per graph input, free dimensions settled.
 * @returns Every graph output by name.
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for operators that FPGA boards have none of, `MODEL_SHAPE_INVALID` for inputs
 * that do not fit.
 */
export function runGraph(
  graph: Graph,
  inputs: ReadonlyMap<string, RealTensor>,
): Map<string, RealTensor> {
  const values = new Map<string, RealTensor>([...graph.constants, ...inputs]);
  const get = (name: string): RealTensor => {
    const value = values.get(name);
    if (value === undefined) throw fail("MODEL_INVALID", `Value \`${name}\` is not there.`);
    return value;
  };
  for (const node of graph.nodes) {
    for (const [index, result] of runNode(node, graph.opset, get).entries()) {
      const output = node.outputs[index];
      if (output) values.set(output, result);
    }
  }
  return new Map(graph.outputs.map(({ name }) => [name, get(name)]));
}

/**
 * Runs one node in floating point.
 *
 * @param get The value of a name that the node reads.
 * @throws {AppError} as `runGraph`.
 */
export function runNode(
  node: GraphNode,
  opset: number,
  get: (name: string) => RealTensor,
): readonly RealTensor[] {
  const run = operatorsOf(node.domain)[node.operator];
  if (run === undefined) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `Operator ${node.operator} of node \`${node.name}\` has no float interpreter.`,
    );
  }
  const results = run({
    node,
    opset,
    input: (index) => get(node.inputs[index] ?? ""),
    optional: (index) => (node.inputs[index] ? get(node.inputs[index]) : undefined),
  });
  return [results].flat();
}

type Operator = (context: Context) => RealTensor | readonly RealTensor[];

const operators: Readonly<Record<string, Operator>> = {
  ...mapOperators,
  ...shapeOperators,
  Identity: ({ input }) => input(0),
  Dropout: ({ input }) => input(0),
  ...Object.fromEntries(
    Object.entries(elementwiseOperators).map(([operator, operands]): [string, Operator] => [
      operator,
      operands === 1
        ? ({ node, input }) => {
            const parameters = parametersOf(node);
            return mapped(input(0), (x) => applyElementwise(operator, [x], parameters));
          }
        : (context) => combined(context, (a, b) => applyElementwise(operator, [a, b])),
    ]),
  ),
  Clip: ({ node, input, optional }) => {
    const { min, max } = clipAttributes(node);
    const [least, most] = [optional(1)?.values[0] ?? min, optional(2)?.values[0] ?? max];
    return mapped(input(0), (x) => Math.min(most, Math.max(least, x)));
  },
  Cast: ({ node, input }) => mapped(input(0), castTo(numberOf(node, "to", 1))),
  MatMul: ({ node, input }) => product(node, input(0), input(1)),
  Gemm: gemm,
  Flatten: flatten,
  Reshape: reshape,
  Softmax: softmax,
  ArgMax: argMax,
  QuantizeLinear: quantizedLinear,
  DequantizeLinear: dequantizedLinear,
};

/** Those of `ai.onnx.ml`. */
const classicalOperators: Readonly<Record<string, Operator>> = {
  Scaler: ({ node, input }) => scaled(node, input(0)),
  ArrayFeatureExtractor: ({ input }) => picked(input(0), input(1)),
  TreeEnsembleRegressor: ({ node, input }) => treeEnsemble(node, input(0)),
  TreeEnsembleClassifier: ({ node, input }) => treeEnsemble(node, input(0)),
};

const qonnxOperators: Readonly<Record<string, Operator>> = Object.fromEntries([
  ["Quant", quantized],
]);

const operatorsOf = (domain: string): Readonly<Record<string, Operator>> =>
  domain === qonnxDomain
    ? qonnxOperators
    : domain === ""
      ? operators
      : domain === "ai.onnx.ml"
        ? classicalOperators
        : {};

function numberOf(node: GraphNode, attribute: string, otherwise: number): number {
  const value = node.attributes[attribute];
  return typeof value === "number" ? value : otherwise;
}

const sizeOf = (shape: readonly number[]): number =>
  shape.reduce((size, dimension) => size * dimension, 1);

const at = (values: RealTensor["values"], index: number): number => values[index] ?? 0;

function mapped({ shape, values }: RealTensor, change: (value: number) => number): RealTensor {
  return { shape, values: Float64Array.from(values, change) };
}

/** Conversion to an ONNX element type: 10 and 16 are narrow floats, kept as they are; 9 is bool; the rest integers. */
function castTo(type: number): (value: number) => number {
  if (type === 1) return Math.fround;
  if (type === 10 || type === 11 || type === 16) return (value) => value;
  if (type === 9) return (value) => (value === 0 ? 0 : 1);
  return Math.trunc;
}

/** Element by element, dimensions of 1 repeated. */
function combined({ node, input }: Context, change: (a: number, b: number) => number): RealTensor {
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
    values[index] = change(at(left.values, indexLeft(index)), at(right.values, indexRight(index)));
  }
  return { shape, values };
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

/** Rows of the left times a matrix; the left may have any number of leading dimensions. */
function product(node: GraphNode, left: RealTensor, right: RealTensor): RealTensor {
  const [rows, columns] = right.shape;
  const inner = left.shape.at(-1);
  if (right.shape.length !== 2 || rows === undefined || columns === undefined || inner !== rows) {
    throw misfit(node, left, right);
  }
  const shape = [...left.shape.slice(0, -1), columns];
  const values = new Float64Array(sizeOf(shape));
  for (let row = 0; row * columns < values.length; row += 1) {
    for (let index = 0; index < inner; index += 1) {
      const factor = at(left.values, row * inner + index);
      if (factor === 0) continue;
      for (let column = 0; column < columns; column += 1) {
        const target = row * columns + column;
        values[target] = at(values, target) + factor * at(right.values, index * columns + column);
      }
    }
  }
  return { shape, values };
}

function gemm({ node, opset, input, optional }: Context): RealTensor {
  const left = numberOf(node, "transA", 0) === 1 ? transposed(input(0)) : input(0);
  const right = numberOf(node, "transB", 0) === 1 ? transposed(input(1)) : input(1);
  const alpha = numberOf(node, "alpha", 1);
  const beta = numberOf(node, "beta", 1);
  const result = mapped(product(node, left, right), (value) => alpha * value);
  const added = optional(2);
  if (added === undefined) return result;
  const pair = [result, mapped(added, (value) => beta * value)];
  const pick = (index: number) => pair[index] ?? result;
  return combined({ node, opset, input: pick, optional: pick }, (a, b) => a + b);
}

function transposed({ shape, values }: RealTensor): RealTensor {
  const [rows = 0, columns = 0] = shape;
  const result = new Float64Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const [row, column] = [Math.floor(index / columns), index % columns];
    result[column * rows + row] = at(values, index);
  }
  return { shape: [columns, rows], values: result };
}

function flatten({ node, input }: Context): RealTensor {
  const { shape, values } = input(0);
  const axis = axisOf(node, shape, 1);
  return { shape: [sizeOf(shape.slice(0, axis)), sizeOf(shape.slice(axis))], values };
}

function reshape({ node, input, optional }: Context): RealTensor {
  const { shape, values } = input(0);
  const attribute = node.attributes["shape"];
  const target = [...(optional(1)?.values ?? (Array.isArray(attribute) ? attribute : []))];
  const keepsZero = numberOf(node, "allowzero", 0) === 1;
  const settled = target.map((dimension, axis) =>
    dimension === 0 && !keepsZero ? (shape[axis] ?? 0) : dimension,
  );
  const others = sizeOf(settled.filter((dimension) => dimension >= 0));
  const wanted = settled.map((dimension) => (dimension < 0 ? values.length / others : dimension));
  if (sizeOf(wanted) !== values.length) {
    throw fail(
      "MODEL_SHAPE_INVALID",
      `Node \`${node.name}\` cannot reshape [${shape.join(", ")}] to [${target.join(", ")}].`,
    );
  }
  return { shape: wanted, values };
}

/** The axis as a count from the front. */
function axisOf(node: GraphNode, shape: readonly number[], otherwise: number): number {
  const axis = numberOf(node, "axis", otherwise);
  return axis < 0 ? axis + shape.length : axis;
}

/** Splits a tensor along an axis: `outer` blocks of `length` steps, each `inner` elements apart. */
function along(shape: readonly number[], axis: number) {
  const length = shape[axis] ?? 1;
  return { outer: sizeOf(shape.slice(0, axis)), length, inner: sizeOf(shape.slice(axis + 1)) };
}

/** Up to opset 12, softmax normalises over all dimensions from the axis on; later over the axis alone. */
function softmax({ node, opset, input }: Context): RealTensor {
  const { shape, values } = input(0);
  const isOld = opset < 13;
  const axis = axisOf(node, shape, isOld ? 1 : -1);
  const whole = along(shape, axis);
  const { outer, length, inner } = isOld
    ? { outer: whole.outer, length: whole.length * whole.inner, inner: 1 }
    : whole;
  const result = new Float64Array(values.length);
  for (let line = 0; line < outer * inner; line += 1) {
    const start = Math.floor(line / inner) * length * inner + (line % inner);
    let largest = -Infinity;
    for (let step = 0; step < length; step += 1) {
      largest = Math.max(largest, at(values, start + step * inner));
    }
    let sum = 0;
    for (let step = 0; step < length; step += 1) {
      const index = start + step * inner;
      const power = Math.exp(at(values, index) - largest);
      result[index] = power;
      sum += power;
    }
    for (let step = 0; step < length; step += 1) {
      const index = start + step * inner;
      result[index] = at(result, index) / sum;
    }
  }
  return { shape, values: result };
}

function argMax({ node, input }: Context): RealTensor {
  const { shape, values } = input(0);
  const axis = axisOf(node, shape, 0);
  const { outer, length, inner } = along(shape, axis);
  const takesLast = numberOf(node, "select_last_index", 0) === 1;
  const result = new Float64Array(outer * inner);
  for (let line = 0; line < result.length; line += 1) {
    const start = Math.floor(line / inner) * length * inner + (line % inner);
    let best = 0;
    for (let step = 1; step < length; step += 1) {
      const [value, most] = [at(values, start + step * inner), at(values, start + best * inner)];
      if (value > most || (takesLast && value === most)) best = step;
    }
    result[line] = best;
  }
  const keeps = numberOf(node, "keepdims", 1) === 1;
  const kept = shape.map((dimension, index) => (index === axis ? 1 : dimension));
  return { shape: keeps ? kept : shape.filter((_, index) => index !== axis), values: result };
}

function misfit(node: GraphNode, left: RealTensor, right: RealTensor) {
  const shapes = [left, right].map(({ shape }) => `[${shape.join(", ")}]`);
  return fail(
    "MODEL_SHAPE_INVALID",
    `Node \`${node.name}\` cannot combine shapes ${shapes.join(" and ")}.`,
  );
}

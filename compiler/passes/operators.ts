import type { GraphConstant, GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";
import { isQuantizer, quantizerOf } from "../model/quantizer";
import type { Step } from "./step";

/** The one value that runs through the chain, as a node sees it. */
export interface Operand {
  /** Full shape, −1 for a free batch. */
  readonly shape: readonly number[];
  /** Which of the node's inputs it is. */
  readonly position: number;
}

export interface NodeView {
  readonly node: GraphNode;
  readonly operand: Operand;
  readonly opset: number;
  /** The constant at an input; null where there is none. */
  constant(index: number): GraphConstant | null;
}

export interface Translation {
  readonly shape: readonly number[];
  readonly steps: readonly Step[];
}

export type Translator = (view: NodeView) => Translation;

/** How a node of the chain is read; undefined for operators that are not, or not by themselves. */
export function translatorOf({ domain, operator }: GraphNode): Translator | undefined {
  if (isQuantizer({ domain, operator }))
    return operator === "DequantizeLinear" ? undefined : quantize;
  const table = domain === "ai.onnx.ml" ? classical : domain === "" ? translators : {};
  return Object.hasOwn(table, operator) ? table[operator] : undefined;
}

/** Operators of the standard domain, with what they become. */
const translators: Readonly<Record<string, Translator>> = {
  Gemm: gemm,
  MatMul: matMul,
  Add: (view) => affine(view, (value) => ({ factor: 1, offset: value })),
  Sub: (view) =>
    affine(view, (value) =>
      view.operand.position === 0 ? { factor: 1, offset: -value } : { factor: -1, offset: value },
    ),
  Mul: (view) => affine(view, (value) => ({ factor: value, offset: 0 })),
  Div: (view) => {
    if (view.operand.position !== 0) throw refuse(view.node, "divides by a computed value");
    return affine(view, (value) => ({ factor: 1 / value, offset: 0 }));
  },
  BatchNormalization: batchNormalization,
  Relu: ({ node, operand }) => ({
    shape: operand.shape,
    steps: [{ kind: "relu", name: node.name }],
  }),
  Identity: unchanged,
  Dropout: unchanged,
  Cast: (view) => {
    // Element types of ONNX: 1 float, 10 float16, 11 double, 16 bfloat16. Integers are for class numbers, which come later.
    const to = numberOf(view.node, "to", 1);
    if (![1, 10, 11, 16].includes(to)) throw refuse(view.node, "to an integer type rounds values");
    return unchanged(view);
  },
  Flatten: flatten,
  Reshape: reshape,
  Softmax: softmax,
  ArgMax: argMax,
};

/** Those of `ai.onnx.ml`. */
const classical: Readonly<Record<string, Translator>> = { Scaler: scaler };

/** `(x − offset) · scale`, one of each for all features or one for each of them. */
function scaler({ node, operand }: NodeView): Translation {
  const size = productOf(operand.shape.slice(1));
  const list = (name: string, otherwise: number): Float64Array => {
    const value = node.attributes[name];
    const given = Array.isArray(value) ? (value as readonly number[]) : [otherwise];
    const isWhole = given.length === 1 || given.length === size;
    if (operand.shape.length !== 2 || !isWhole || !given.every(Number.isFinite)) {
      throw refuse(node, `has ${given.length} numbers as its ${name}, for ${size} features`);
    }
    return Float64Array.from({ length: size }, (_, index) => given[index % given.length] ?? 0);
  };
  const factor = list("scale", 1);
  const offset = list("offset", 0).map((value, index) => -value * (factor[index] ?? 1));
  return {
    shape: operand.shape,
    steps: [{ kind: "affine", name: node.name, operator: node.operator, factor, offset }],
  };
}

function quantize({ node, operand, constant }: NodeView): Translation {
  const { name, operator } = node;
  const quantizer = quantizerOf(node, constant);
  return { shape: operand.shape, steps: [{ kind: "quantize", name, operator, quantizer }] };
}

function unchanged({ operand }: NodeView): Translation {
  return { shape: operand.shape, steps: [] };
}

function gemm({ node, operand, constant }: NodeView): Translation {
  if (operand.position !== 0) throw refuse(node, "multiplies a constant by the input");
  const matrix = constant(1);
  if (!matrix) throw refuse(node, "needs constant weights");
  const shape = numberOf(node, "transA", 0) ? [...operand.shape].reverse() : operand.shape;
  const inputSize = rowSize(node, shape);
  const alpha = numberOf(node, "alpha", 1);
  const beta = numberOf(node, "beta", 1);
  const weights = transposed(node, matrix, inputSize, numberOf(node, "transB", 0) === 1);
  const outputSize = weights.length / inputSize;
  const offset = node.inputs[2] ? constant(2) : null;
  if (node.inputs[2] && !offset) throw refuse(node, "needs a constant bias");
  const bias = offset ? spread(node, offset, [1, outputSize]) : new Float64Array(outputSize);
  return {
    shape: [shape[0] ?? -1, outputSize],
    steps: [
      {
        kind: "dense",
        name: node.name,
        inputSize,
        outputSize,
        weights: weights.map((weight) => alpha * weight),
        bias: bias.map((value) => beta * value),
      },
    ],
  };
}

function matMul({ node, operand, constant }: NodeView): Translation {
  const matrix = operand.position === 0 ? constant(1) : null;
  if (!matrix) throw refuse(node, "needs constant weights on its right");
  const inputSize = rowSize(node, operand.shape);
  const weights = transposed(node, matrix, inputSize, false);
  const outputSize = weights.length / inputSize;
  return {
    shape: [operand.shape[0] ?? -1, outputSize],
    steps: [
      {
        kind: "dense",
        name: node.name,
        inputSize,
        outputSize,
        weights,
        bias: new Float64Array(outputSize),
      },
    ],
  };
}

/** A matrix of ONNX, `[inputs, outputs]` unless it is stored transposed, as rows of weights per output. */
function transposed(
  node: GraphNode,
  { shape, values }: GraphConstant,
  inputSize: number,
  byOutput: boolean,
): Float64Array {
  const [rows = 0, columns = 0] = shape;
  const outputs = byOutput ? rows : columns;
  if (shape.length !== 2 || (byOutput ? columns : rows) !== inputSize || outputs < 1) {
    throw refuse(node, `has weights of shape [${shape.join(", ")}] for ${inputSize} inputs`);
  }
  if (byOutput) return Float64Array.from(values);
  const weights = new Float64Array(values.length);
  for (let input = 0; input < rows; input++) {
    for (let output = 0; output < columns; output++) {
      weights[output * rows + input] = values[input * columns + output] ?? 0;
    }
  }
  return weights;
}

function affine(
  { node, operand, constant }: NodeView,
  part: (value: number) => { factor: number; offset: number },
): Translation {
  const other = constant(1 - operand.position);
  if (!other) throw refuse(node, "needs one constant operand");
  const parts = Array.from(spread(node, other, operand.shape), part);
  const factor = Float64Array.from(parts, (one) => one.factor);
  if (!factor.every(Number.isFinite)) throw refuse(node, "divides by zero");
  const offset = Float64Array.from(parts, (one) => one.offset);
  return {
    shape: operand.shape,
    steps: [{ kind: "affine", name: node.name, operator: node.operator, factor, offset }],
  };
}

/** `(x − mean) / √(variance + ε) · scale + bias`, one of each for each feature: at inference all are constants. */
function batchNormalization({ node, operand, constant }: NodeView): Translation {
  const [, size = 0] = operand.shape;
  const isPlain = operand.position === 0 && operand.shape.length === 2;
  if (!isPlain || numberOf(node, "training_mode", 0) !== 0 || node.outputs.length > 1) {
    throw refuse(node, "is of a model that still learns, or not over plain features");
  }
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((index) => {
    const values = constant(index)?.values;
    if (values?.length !== size) throw refuse(node, `needs ${size} constants of each kind`);
    return values;
  });
  const epsilon = numberOf(node, "epsilon", 1e-5);
  const factor = Float64Array.from(
    { length: size },
    (_, at) => (scale?.[at] ?? 1) / Math.sqrt((variance?.[at] ?? 1) + epsilon),
  );
  if (!factor.every(Number.isFinite)) throw refuse(node, "divides by zero");
  const offset = factor.map((each, at) => (bias?.[at] ?? 0) - (mean?.[at] ?? 0) * each);
  const { name, operator } = node;
  return { shape: operand.shape, steps: [{ kind: "affine", name, operator, factor, offset }] };
}

/** A constant broadcast to one row of a shape; it must not make the shape larger. */
function spread(
  node: GraphNode,
  { shape, values }: GraphConstant,
  to: readonly number[],
): Float64Array {
  const row = [1, ...to.slice(1)];
  const own = [...Array<number>(Math.max(0, row.length - shape.length)).fill(1), ...shape];
  if (own.length > row.length || own.some((size, axis) => size !== 1 && size !== row[axis])) {
    throw refuse(node, `has a constant of shape [${shape.join(", ")}] for [${to.join(", ")}]`);
  }
  const size = row.reduce((product, dimension) => product * dimension, 1);
  return Float64Array.from({ length: size }, (_, flat) => {
    let index = 0;
    let stride = 1;
    let rest = flat;
    for (let axis = row.length - 1; axis >= 0; axis--) {
      const dimension = row[axis] ?? 1;
      if (own[axis] !== 1) index += (rest % dimension) * stride;
      stride *= own[axis] ?? 1;
      rest = Math.floor(rest / dimension);
    }
    return values[index] ?? 0;
  });
}

/** Elements of one row of a matrix with one row or a free number of them. */
function rowSize(node: GraphNode, shape: readonly number[]): number {
  const [batch, size] = shape;
  if (shape.length !== 2 || size === undefined || size < 1 || (batch !== -1 && batch !== 1)) {
    throw refuse(node, `works on shape [${shape.join(", ")}], not on rows of a matrix`);
  }
  return size;
}

function flatten({ node, operand }: NodeView): Translation {
  const axis = numberOf(node, "axis", 1);
  const from = axis < 0 ? axis + operand.shape.length : axis;
  const batch = productOf(operand.shape.slice(0, from));
  const size = productOf(operand.shape.slice(from));
  if (size < 1 || batch < -1) throw refuse(node, `with axis ${axis} does not keep rows whole`);
  return { shape: [batch, size], steps: [] };
}

function reshape({ node, operand, constant }: NodeView): Translation {
  const target = operand.position === 0 ? constant(1) : null;
  if (!target) throw refuse(node, "needs a constant shape");
  const zeroIsZero = numberOf(node, "allowzero", 0) === 1;
  const sizes = Array.from(target.values, (size, axis) =>
    size === 0 && !zeroIsZero ? (operand.shape[axis] ?? 0) : size,
  );
  // A free batch stays in front and free; what follows it, or everything of a fixed shape, is settled here.
  const free = operand.shape[0] === -1;
  const total = productOf(free ? operand.shape.slice(1) : operand.shape);
  const inner = free ? sizes.slice(1) : sizes;
  const known = productOf(inner.filter((size) => size !== -1));
  const settled = inner.map((size) => (size === -1 ? total / known : size));
  const whole = settled.every((size) => Number.isInteger(size) && size > 0);
  if (!whole || productOf(settled) !== total || (free && sizes[0] !== -1)) {
    throw refuse(node, `to [${Array.from(target.values).join(", ")}] does not keep rows whole`);
  }
  return { shape: free ? [-1, ...settled] : settled, steps: [] };
}

function softmax({ node, operand, opset }: NodeView): Translation {
  const rank = operand.shape.length;
  const axis = numberOf(node, "axis", opset < 13 ? 1 : -1);
  if (rank !== 2 || (axis !== -1 && axis !== 1)) {
    throw refuse(node, `over axis ${axis} of ${rank} dimensions`);
  }
  return { shape: operand.shape, steps: [{ kind: "softmax", name: node.name }] };
}

function argMax({ node, operand }: NodeView): Translation {
  const axis = numberOf(node, "axis", 0);
  if (operand.shape.length !== 2 || (axis !== -1 && axis !== 1)) {
    throw refuse(node, `over axis ${axis} of ${operand.shape.length} dimensions`);
  }
  if (numberOf(node, "select_last_index", 0) === 1)
    throw refuse(node, "selects the last of equals");
  const batch = operand.shape[0] ?? -1;
  const shape = numberOf(node, "keepdims", 1) === 1 ? [batch, 1] : [batch];
  return { shape, steps: [{ kind: "argmax", name: node.name }] };
}

function numberOf(node: GraphNode, name: string, otherwise: number): number {
  const value = node.attributes[name];
  return typeof value === "number" ? value : otherwise;
}

function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

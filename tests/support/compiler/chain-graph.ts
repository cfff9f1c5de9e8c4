import type { Attribute, Graph, GraphConstant, GraphNode } from "@/compiler/graph/graph";

const constant = (name: string, shape: readonly number[], values: readonly number[]) =>
  ({ name, datatype: "FP32", shape, values: Float64Array.from(values) }) satisfies GraphConstant;

const weights = constant("w", [3, 2], [1, -2, 0.5, 3, -1, 4]);
const transposed = constant("wt", [2, 3], [1, 0.5, -1, -2, 3, 4]);
const bias = constant("b", [2], [0.25, -0.75]);
const square = constant("s", [2, 2], [2, -1, 1, 3]);
const feature = constant("f", [3], [2, -4, 0.5]);
const scalar = constant("c", [], [3]);

export interface Op {
  readonly operator: string;
  /** The standard one where nothing is said. */
  readonly domain?: string;
  readonly inputs?: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** A graph of operators in a row; `x` among the inputs stands for the value so far. */
export function chain(ops: readonly Op[], change: Partial<Graph> = {}): Graph {
  const constants = [
    weights,
    transposed,
    bias,
    square,
    feature,
    scalar,
    constant("zero", [], [0]),
    constant("variance2", [2], [2, 0.5]),
    constant("variance3", [3], [1, 0.25, 4]),
    { ...constant("to23", [2], [-1, 3]), datatype: "INT64" },
    { ...constant("to0", [2], [0, -1]), datatype: "INT64" },
    { ...constant("to1", [2], [1, 3]), datatype: "INT64" },
  ];
  const nodes = ops.map(
    ({ operator, domain = "", inputs = ["x"], attributes = {} }, index): GraphNode => ({
      name: `${operator.toLowerCase()}_${index}`,
      operator,
      domain,
      inputs: inputs.map((name) => (name === "x" ? `v${index}` : name)),
      outputs: [`v${index + 1}`],
      attributes,
    }),
  );
  return {
    inputs: [{ name: "v0", datatype: "FP32", shape: [-1, 3] }],
    outputs: [{ name: `v${ops.length}`, datatype: "FP32", shape: [-1, 2] }],
    nodes,
    constants: new Map(constants.map((each) => [each.name, each])),
    shapes: new Map(),
    opset: 17,
    ...change,
  };
}

/** `BatchNormalization` of three features, and of two. */
export const normalise3: Op = {
  operator: "BatchNormalization",
  inputs: ["x", "f", "f", "f", "variance3"],
};
export const normalise2: Op = {
  operator: "BatchNormalization",
  inputs: ["x", "b", "b", "b", "variance2"],
  attributes: { epsilon: 0.01 },
};
/** Three inputs, two outputs. */
export const gemm: Op = { operator: "Gemm", inputs: ["x", "w", "b"] };
export const matMul: Op = { operator: "MatMul", inputs: ["x", "w"] };

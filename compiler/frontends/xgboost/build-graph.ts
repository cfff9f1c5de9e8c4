import type { Graph, GraphConstant, GraphNode } from "../../graph/graph";
import { type Link, links } from "./links";
import type { LinearModel, TreeModel, XgboostModel } from "./model";
import { treeAttributes } from "./tree-nodes";

const input = "features";
const margins = "margins";

/**
 * A model as operators: margins, then what its objective makes of them. The output is `probabilities` of each class,
 * `label` for the best class alone, `variable` for everything else.
 */
export function buildGraph(model: XgboostModel): Graph {
  const link = links[model.objective];
  if (!link) throw new RangeError("A model that was read has a link.");
  const ensemble =
    model.booster.kind === "trees"
      ? treePart(model, model.booster)
      : linearPart(model, model.booster);
  const tail = tails[link.tail](model.groups);
  const constants = [...ensemble.constants, ...tail.constants];
  return {
    inputs: [{ name: input, datatype: "FP32", shape: [-1, model.features] }],
    outputs: [tail.output],
    nodes: [...ensemble.nodes, ...tail.nodes],
    constants: new Map(constants.map((constant) => [constant.name, constant])),
    shapes: new Map([
      [input, [-1, model.features]],
      [margins, [-1, model.groups]],
      [tail.output.name, tail.output.shape],
    ]),
    opset: 17,
  };
}

interface Part {
  readonly nodes: readonly GraphNode[];
  readonly constants: readonly GraphConstant[];
}

interface Tail extends Part {
  readonly output: Graph["outputs"][number];
}

const node = (
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: GraphNode["attributes"] = {},
  domain = "",
): GraphNode => ({
  name: `${operator}_${outputs[0]}`,
  operator,
  domain,
  inputs,
  outputs,
  attributes,
});

const floats = (
  name: string,
  values: readonly number[],
  shape: readonly number[],
): GraphConstant => ({ name, datatype: "FP32", shape, values: Float64Array.from(values) });

function treePart({ groups, baseMargins }: XgboostModel, { trees }: TreeModel): Part {
  if (trees.length === 0) return constantPart(baseMargins);
  const attributes = treeAttributes(trees, { groups, baseMargins });
  return {
    nodes: [node("TreeEnsembleRegressor", [input], [margins], attributes, "ai.onnx.ml")],
    constants: [],
  };
}

/** No tree at all: every row gets the base margins, whatever its values are, missing ones too. */
function constantPart(baseMargins: readonly number[]): Part {
  return {
    nodes: [
      node("Shape", [input], ["batch"], { start: 0, end: 1 }),
      node("Concat", ["batch", "column"], ["rows"], { axis: 0 }),
      node("Expand", ["base", "rows"], [margins]),
    ],
    constants: [
      { name: "column", datatype: "INT64", shape: [1], values: Float64Array.of(1) },
      floats("base", baseMargins, [1, baseMargins.length]),
    ],
  };
}

/** What is missing counts as nothing. */
function linearPart(
  { features, groups, baseMargins }: XgboostModel,
  { weights }: LinearModel,
): Part {
  const matrix = weights.slice(0, features * groups);
  // XGBoost's linear booster starts every group from the first one's base score.
  const [base = 0] = baseMargins;
  const bias = baseMargins.map((_, group) => base + (weights[features * groups + group] ?? 0));
  return {
    nodes: [
      node("IsNaN", [input], ["missing"]),
      node("Where", ["missing", "nothing", input], ["present"]),
      node("Gemm", ["present", "weights", "bias"], [margins]),
    ],
    constants: [
      floats("nothing", [0], [1]),
      floats("weights", matrix, [features, groups]),
      floats("bias", bias, [groups]),
    ],
  };
}

const variable = (groups: number) => ({
  name: "variable",
  datatype: "FP32" as const,
  shape: [-1, groups],
});
const probabilities = (classes: number) => ({
  name: "probabilities",
  datatype: "FP32" as const,
  shape: [-1, classes],
});

const tails: Readonly<Record<Link["tail"], (groups: number) => Tail>> = {
  identity: (groups) => ({
    nodes: [node("Identity", [margins], ["variable"])],
    constants: [],
    output: variable(groups),
  }),
  logistic: (groups) => ({
    nodes: [node("Sigmoid", [margins], ["variable"])],
    constants: [],
    output: variable(groups),
  }),
  exponential: (groups) => ({
    nodes: [node("Exp", [margins], ["variable"])],
    constants: [],
    output: variable(groups),
  }),
  sign: (groups) => ({
    nodes: [
      node("Greater", [margins, "zero"], ["above"]),
      node("Cast", ["above"], ["variable"], { to: 1 }),
    ],
    constants: [floats("zero", [0], [1])],
    output: variable(groups),
  }),
  // The second class's probability is the model's; several targets keep one each.
  probabilities: (groups) =>
    groups > 1
      ? {
          nodes: [node("Sigmoid", [margins], ["probabilities"])],
          constants: [],
          output: probabilities(groups),
        }
      : {
          nodes: [
            node("Sigmoid", [margins], ["second"]),
            node("Sub", ["one", "second"], ["first"]),
            node("Concat", ["first", "second"], ["probabilities"], { axis: 1 }),
          ],
          constants: [floats("one", [1], [1])],
          output: probabilities(2),
        },
  softmax: (groups) => ({
    nodes: [node("Softmax", [margins], ["probabilities"], { axis: 1 })],
    constants: [],
    output: probabilities(groups),
  }),
  best: () => ({
    nodes: [node("ArgMax", [margins], ["label"], { axis: 1, keepdims: 0 })],
    constants: [],
    output: { name: "label", datatype: "INT64", shape: [-1] },
  }),
};

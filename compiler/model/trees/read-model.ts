import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "../../graph/graph";
import { refuse, refuseModel } from "../../graph/refuse";
import type { Transform, TreeEnsemble, TreeModel, TreeOutput } from "./ensemble";
import { changed, isTreeEnsemble, readEnsemble } from "./read-ensemble";

/** Features whose thresholds a manifest can hold. */
const mostFeatures = 65_536;

const isPlace = (index: number, size: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < size;

/** Whether a graph is for this part of the compiler. */
export const hasTrees = ({ nodes }: Graph): boolean => nodes.some(isTreeEnsemble);

/**
 * A graph of one tree ensemble, with what follows it left to the host.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED`, `MODEL_INVALID`.
 */
export function readTreeModel(graph: Graph): TreeModel {
  const [input, ...others] = graph.inputs;
  if (!input || others.length > 0) {
    throw refuseModel(
      `The model has ${graph.inputs.length} inputs; trees on FPGA boards take one.`,
    );
  }
  const [, features = -1] = input.shape;
  const isTable = input.shape.length === 2 && features >= 1 && features <= mostFeatures;
  if (input.datatype !== "FP32" || !isTable) {
    throw refuseModel(
      `Input "${input.name}" is ${input.datatype} [${input.shape.join(", ")}]; trees on FPGA boards take FP32 [-1, features], up to ${mostFeatures} of them.`,
    );
  }
  const [node, ...more] = graph.nodes.filter(isTreeEnsemble);
  if (!node) throw new RangeError("The graph has no trees.");
  if (more[0]) throw refuse(more[0], "is a second ensemble; FPGA boards take one");
  if (node.inputs[0] !== input.name) {
    throw refuse(node, `reads ${node.inputs[0]}, not the model's input, as FPGA boards need`);
  }
  const ensemble = readEnsemble(node);
  for (const tree of ensemble.trees) {
    for (const each of tree) {
      if (each.kind === "leaf" || isPlace(each.feature, features)) continue;
      throw refuseModel(`The trees look at feature ${each.feature}; the model has ${features}.`);
    }
  }
  const values = followLinks(graph, node, ensemble);
  const results = graph.outputs.map((spec) => resultOf(spec, values));
  const pairs = results.filter(({ value }) => value.kind === "pair");
  if (pairs.length > 0 && pairs.length < results.length) {
    throw refuseModel("The model answers a sum and its two probabilities; FPGA boards take one.");
  }
  return {
    input,
    features,
    ensemble: pairs.length > 0 ? asPair(ensemble) : ensemble,
    outputs: results.map(({ spec, value }) => outputOf(spec, value)),
  };
}

/** What is known of a value behind the ensemble: `complement` is one minus a sum's probability, `pair` both in a row. */
type Value =
  | { readonly kind: "scores"; readonly transform: Transform }
  | { readonly kind: "label" }
  | { readonly kind: "complement" }
  | { readonly kind: "pair" };

type Values = ReadonlyMap<string, Value>;
interface Context {
  readonly node: GraphNode;
  readonly graph: Graph;
  readonly scores: number;
  readonly value: Value;
  readonly values: Values;
}

function followLinks(graph: Graph, node: GraphNode, { transform, base, labels }: TreeEnsemble) {
  const values = new Map<string, Value>();
  const [first = "", second = ""] = node.outputs;
  if (labels) values.set(first, { kind: "label" });
  values.set(labels ? second : first, { kind: "scores", transform });
  for (const each of graph.nodes) {
    if (each === node) continue;
    const value = each.inputs.map((name) => values.get(name)).find((found) => found !== undefined);
    const link = each.domain === "" ? links[each.operator] : undefined;
    if (!link || !value) {
      throw refuse(each, "beside a tree ensemble is not supported on FPGA boards");
    }
    values.set(
      each.outputs[0] ?? "",
      link({ node: each, graph, scores: base.length, value, values }),
    );
  }
  return values;
}

const links: Readonly<Record<string, (context: Context) => Value>> = {
  Identity: ({ value }) => value,
  Cast: ({ node, value }) => {
    const type = node.attributes["to"];
    if (value.kind === "label" ? type === 7 : type === 1) return value;
    throw refuse(node, `converts to element type ${type}, which is not supported`);
  },
  Sigmoid: (context) => transformed(context, "sigmoid"),
  Exp: (context) => transformed(context, "exp"),
  Softmax: (context) => {
    requireLastAxis(context);
    return transformed(context, "softmax");
  },
  ArgMax: (context) => {
    const { node, value } = context;
    requireLastAxis(context);
    if (value.kind !== "scores" || node.attributes["select_last_index"] === 1) throw refuse(node);
    return { kind: "label" };
  },
  // One minus the second class's probability, and both side by side: what `binary:logistic` ends in.
  Sub: ({ node, graph, scores, value }) => {
    const [one] = graph.constants.get(node.inputs[0] ?? "")?.values ?? [];
    const isProbability = value.kind === "scores" && value.transform === "sigmoid";
    if (one !== 1 || !isProbability || scores !== 1) throw refuse(node);
    return { kind: "complement" };
  },
  Concat: ({ node, scores, values }) => {
    const [first, second, ...more] = node.inputs.map((name) => values.get(name));
    const isSecond = second?.kind === "scores" && second.transform === "sigmoid" && scores === 1;
    if (first?.kind !== "complement" || !isSecond || more.length > 0) throw refuse(node);
    return { kind: "pair" };
  },
};

function transformed({ node, value, scores }: Context, transform: Transform): Value {
  const plain = value.kind === "scores" && value.transform === "none";
  if (!plain || (transform === "softmax" && scores === 1)) throw refuse(node);
  return { kind: "scores", transform };
}

function requireLastAxis({ node, graph }: Context): void {
  const otherwise =
    node.operator === "Softmax" && graph.opset >= 13 ? -1 : Number(node.operator === "Softmax");
  const axis = node.attributes["axis"] ?? otherwise;
  if (axis !== 1 && axis !== -1)
    throw refuse(node, "works along the batch, which is not supported");
}

function resultOf(spec: TensorSpec, values: Values): { spec: TensorSpec; value: Value } {
  const value = values.get(spec.name);
  if (value && value.kind !== "complement") return { spec, value };
  throw refuseModel(`Output "${spec.name}" is not what the trees end in.`);
}

function outputOf(spec: TensorSpec, value: Value): TreeOutput {
  const activation =
    value.kind === "label" ? "argmax" : value.kind === "scores" ? value.transform : "softmax";
  const wanted = activation === "argmax" ? "INT64" : "FP32";
  if (spec.datatype === wanted) return { spec, activation };
  throw refuseModel(`Output "${spec.name}" is ${spec.datatype}, not ${wanted}.`);
}

/** `[1 − sigmoid(s), sigmoid(s)]` is the softmax of `[0, s]`. */
function asPair(ensemble: TreeEnsemble): TreeEnsemble {
  return {
    ...ensemble,
    trees: ensemble.trees.map((tree) => changed(tree, (_, weight) => [[1, weight]])),
    base: [0, ...ensemble.base],
    transform: "softmax",
  };
}

import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph, GraphNode } from "../graph/graph";
import { refuse, refuseModel } from "../graph/refuse";
import type { NetworkOutput } from "../model/dense-network";
import { type Head, plainHead } from "../model/head";
import type { TreeEnsemble, TreeModel } from "../model/trees/ensemble";
import { changed, isTreeEnsemble, readEnsemble } from "../model/trees/read-ensemble";
import { operatorOf } from "../operators";

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
  const heads = followHeads(graph, node, ensemble);
  const outputs = graph.outputs.map((spec) => outputOf(spec, heads));
  const pairs = graph.outputs.filter(({ name }) => heads.get(name)?.kind === "pair");
  if (pairs.length > 0 && (pairs.length < outputs.length || ensemble.base.length > 1)) {
    throw refuseModel("The model answers a sum and its two probabilities; FPGA boards take one.");
  }
  return {
    input,
    features,
    ensemble: pairs.length > 0 ? asPair(ensemble) : ensemble,
    outputs,
  };
}

/** What the host makes of the sums, by name: operators behind the ensemble, each as its record says. */
function followHeads(graph: Graph, node: GraphNode, { transform, base, labels }: TreeEnsemble) {
  const heads = new Map<string, Head>();
  const [first = "", second = ""] = node.outputs;
  if (labels) heads.set(first, { ...plainHead("argmax"), classes: labels });
  heads.set(labels ? second : first, plainHead(transform));
  for (const each of graph.nodes) {
    if (each === node) continue;
    const before = each.inputs.find((name) => heads.has(name));
    const head = heads.get(before ?? "");
    const { head: follow } = operatorOf(each);
    if (!follow || !head) {
      throw refuse(each, "beside a tree ensemble is not supported on FPGA boards");
    }
    const made = follow({ graph, node: each, head, shape: [base.length], heads });
    const isOfOne = made.activation === "softmax" && made.kind === "plain" && base.length === 1;
    if (isOfOne) throw refuse(each, "is taken of one score");
    heads.set(each.outputs[0] ?? "", made);
  }
  return heads;
}

function outputOf(spec: TensorSpec, heads: ReadonlyMap<string, Head>): NetworkOutput {
  const head = heads.get(spec.name);
  if (!head || head.kind === "complement") {
    throw refuseModel(`Output "${spec.name}" is not what the trees end in.`);
  }
  const { activation, classes } = head;
  const wanted = activation === "argmax" ? "INT64" : "FP32";
  if (spec.datatype === wanted) return { spec, activation, ...(classes ? { classes } : {}) };
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

import type { TensorSpec } from "@/lib/common/tensor";
import type { Graph } from "../graph/graph";
import { refuse, refuseModel } from "../graph/refuse";
import type { NetworkOutput } from "../model/dense-network";
import { type Head, plainHead } from "../model/head";
import type { TreeEnsemble, TreeModel } from "../model/trees/ensemble";
import { changed, isTreeEnsemble } from "../model/trees/read-ensemble";
import { operatorOf } from "../operators";
import { treeFeatures } from "./tree-features";
import { type TreeSum, treeSum } from "./tree-sums";

/** Whether a graph is for this part of the compiler. */
export const hasTrees = ({ nodes }: Graph): boolean => nodes.some(isTreeEnsemble);

/**
 * A graph of one tree ensemble, or of several whose scores are added, with what follows left to the host.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED`, `MODEL_INVALID`.
 */
export function readTreeModel(graph: Graph): TreeModel {
  const features = treeFeatures(graph);
  const sum = treeSum(graph, features);
  const { ensemble } = sum;
  const rest = graph.nodes.filter((node) => !features.nodes.has(node) && !sum.nodes.has(node));
  const heads = followHeads({ ...graph, nodes: rest }, sum);
  const outputs = graph.outputs.map((spec) => outputOf(spec, heads));
  const pairs = graph.outputs.filter(({ name }) => heads.get(name)?.kind === "pair");
  if (pairs.length > 0 && (pairs.length < outputs.length || ensemble.base.length > 1)) {
    throw refuseModel("The model answers a sum and its two probabilities; FPGA boards take one.");
  }
  return {
    inputs: features.inputs,
    ensemble: pairs.length > 0 ? asPair(ensemble) : ensemble,
    outputs,
  };
}

/** What the host makes of the sums, by name: operators behind the ensemble, each as its record says. */
function followHeads(graph: Graph, { ensemble, outputs }: TreeSum) {
  const { transform, base, labels } = ensemble;
  const heads = new Map<string, Head>();
  const [first = "", second = ""] = outputs;
  if (labels) heads.set(first, { ...plainHead("argmax"), classes: labels });
  heads.set(labels ? second : first, plainHead(transform));
  for (const each of graph.nodes) {
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

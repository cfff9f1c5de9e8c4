import { hasKey } from "@/lib/common/records";
import type { Attribute, GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import type { Transform, Tree, TreeEnsemble } from "./ensemble";
import { numbersOf, readTrees } from "./read-trees";

const transforms: Readonly<Record<string, Transform>> = {
  NONE: "none",
  SOFTMAX: "softmax",
  LOGISTIC: "sigmoid",
};

/** More scores than this are no ensemble that anybody trains. */
const mostScores = 4096;

const textOf = (value: Attribute | undefined, otherwise: string): string =>
  typeof value === "string" ? value : otherwise;

/** Whether an operator is a tree ensemble that is read here. */
export const isTreeEnsemble = ({ domain, operator }: GraphNode): boolean =>
  domain === "ai.onnx.ml" && Object.hasOwn(readers, operator);

/**
 * The ensemble of an ONNX operator, in one form for regressors and classifiers.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` for what its operator can do and this form cannot; `MODEL_INVALID`.
 * @see https://onnx.ai/onnx/operators/index_ai_onnx_ml.html, and ONNX Runtime where that page is silent
 */
export function readEnsemble(node: GraphNode): TreeEnsemble {
  const read = hasKey(readers, node.operator) ? readers[node.operator] : undefined;
  if (!read) throw refuse(node);
  if (node.attributes["base_values_as_tensor"] !== undefined) {
    throw refuse(node, "has base values in double precision, which are not supported");
  }
  return read(node);
}

const readers: Readonly<Record<string, (node: GraphNode) => TreeEnsemble>> = {
  TreeEnsembleRegressor: readRegressor,
  TreeEnsembleClassifier: readClassifier,
};

function readRegressor(node: GraphNode): TreeEnsemble {
  const scores = Number(node.attributes["n_targets"] ?? 1);
  if (!Number.isInteger(scores) || scores < 1 || scores > mostScores) {
    throw refuse(node, `has ${scores} targets, not 1 to ${mostScores}`);
  }
  const aggregate = textOf(node.attributes["aggregate_function"], "SUM");
  if (aggregate !== "SUM" && aggregate !== "AVERAGE") {
    throw refuse(node, `takes the ${aggregate} of its trees, which is not supported`);
  }
  const transform = transformOf(node);
  if (transform !== "none" && scores === 1) {
    throw refuse(node, `transforms one score by ${transform}, which ONNX Runtime leaves out`);
  }
  const trees = readTrees(node, "target", scores);
  const share = aggregate === "AVERAGE" ? 1 / trees.length : 1;
  return {
    name: node.name,
    trees: trees.map((tree) => changed(tree, (score, weight) => [[score, weight * share]])),
    base: baseOf(node, scores),
    transform,
    labels: null,
  };
}

function readClassifier(node: GraphNode): TreeEnsemble {
  const labels = numbersOf(node, "classlabels_int64s");
  if (labels.length < 2 || labels.length > mostScores || !labels.every(Number.isSafeInteger)) {
    throw refuse(node, `has labels that are no numbers, or not 2 to ${mostScores} of them`);
  }
  const trees = readTrees(node, "class", labels.length);
  const transform = transformOf(node);
  const common = { name: node.name, labels };
  if (labels.length === 2) return { ...common, ...readPair(node, trees, transform) };
  if (numbersOf(node, "base_values").length === 0 && !alwaysScored(trees, labels.length)) {
    throw refuse(node, "has classes that some rows give no score at all");
  }
  return { ...common, trees, base: baseOf(node, labels.length), transform };
}

/**
 * Two classes and one score `s`, written to class 0 though it speaks for class 1. ONNX Runtime answers `[1 − s, s]` where
 * all weights are positive (shares of votes), else `[−s, s]`, or both sigmoids; the label is the larger one's.
 */
function readPair(
  node: GraphNode,
  trees: readonly Tree[],
  transform: Transform,
): Pick<TreeEnsemble, "trees" | "base" | "transform"> {
  const adds = trees.flatMap((tree) => tree.flatMap((each) => ("adds" in each ? each.adds : [])));
  if (adds.some(([score]) => score !== 0)) {
    throw refuse(node, "scores two classes other than by one sum for the second");
  }
  const base = numbersOf(node, "base_values");
  if (base.length > 1) throw refuse(node, "has two base values for one sum");
  const sum = Math.fround(base[0] ?? 0);
  const votes = adds.every(([, weight]) => weight >= 0);
  if (transform === "sigmoid") {
    if (votes) throw refuse(node, "has a sigmoid of weights that are all positive");
    // softmax([0, s]) is [1 − sigmoid(s), sigmoid(s)].
    return {
      trees: trees.map((tree) => changed(tree, (_, weight) => [[1, weight]])),
      base: [0, sum],
      transform: "softmax",
    };
  }
  const mirrored = (_: number, weight: number): [number, number][] => [
    [0, -weight],
    [1, weight],
  ];
  return {
    trees: trees.map((tree) => changed(tree, mirrored)),
    base: [(votes ? 1 : 0) - sum, sum],
    transform: "none",
  };
}

/** A tree with other leaves. */
export function changed(
  tree: Tree,
  change: (score: number, weight: number) => readonly (readonly [number, number])[],
): Tree {
  return tree.map((node) =>
    node.kind === "leaf"
      ? { ...node, adds: node.adds.flatMap(([score, weight]) => change(score, weight)) }
      : node,
  );
}

/** ONNX Runtime leaves classes without any score out of the choice; where scores are positive, that changes nothing. */
function alwaysScored(trees: readonly Tree[], classes: number): boolean {
  const leaves = trees.map((tree) => tree.flatMap((node) => ("adds" in node ? [node.adds] : [])));
  if (leaves.flat(2).every(([, weight]) => weight > 0)) return true;
  return Array.from({ length: classes }, (_, index) => index).every((index) =>
    leaves.some((tree) => tree.every((adds) => adds.some(([score]) => score === index))),
  );
}

function transformOf(node: GraphNode): Transform {
  const name = textOf(node.attributes["post_transform"], "NONE");
  const transform = hasKey(transforms, name) ? transforms[name] : undefined;
  if (!transform) throw refuse(node, `ends in ${name}, which is not supported`);
  return transform;
}

function baseOf(node: GraphNode, scores: number): number[] {
  const base = numbersOf(node, "base_values");
  if (base.length !== 0 && base.length !== scores) {
    throw refuse(node, `has ${base.length} base values for ${scores} scores`);
  }
  return Array.from({ length: scores }, (_, score) => Math.fround(base[score] ?? 0));
}

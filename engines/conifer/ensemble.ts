import { type Graph, readTreeModel, type TreeEnsemble } from "@/compiler";
import { fail } from "@/lib/common/errors";
import { rowWidth } from "@/lib/common/tensor";

type Tree = TreeEnsemble["trees"][number];

/** A tree as conifer's models have it: columns of its nodes. Features below 0 are leaves. */
export interface ConiferTree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly value: readonly number[];
  readonly children_left: readonly number[];
  readonly children_right: readonly number[];
}

/** A model as conifer takes it. */
export interface ConiferEnsemble {
  readonly n_features: number;
  /** 2: one score, which speaks for the second class. */
  readonly n_classes: number;
  readonly n_trees: number;
  readonly max_depth: number;
  readonly splitting_convention: "<" | "<=";
  readonly init_predict: readonly number[];
  /** By tree, then by score. */
  readonly trees: readonly (readonly ConiferTree[])[];
}

/** What the host makes of conifer's scores. */
export type Activation = "none" | "softmax" | "sigmoid" | "exp";

/** A model that conifer takes, with what becomes of its scores. */
export interface ConiferModel {
  readonly ensemble: ConiferEnsemble;
  /** Of two scores conifer has the second alone; the first is `constant + factor · second`. */
  readonly first: { readonly constant: number; readonly factor: number } | null;
  /** The outputs that are real numbers, in the model's order. */
  readonly outputs: readonly { readonly name: string; readonly activation: Activation }[];
}

const activations: ReadonlySet<string> = new Set<Activation>(["none", "softmax", "sigmoid", "exp"]);
const isActivation = (name: string): name is Activation => activations.has(name);

/**
 * Reads a graph of one tree ensemble as conifer takes it.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED`, `MODEL_UNSUPPORTED`, `MODEL_INVALID`
 */
export function readConiferModel(graph: Graph): ConiferModel {
  const { ensemble, inputs, outputs } = readTreeModel(graph);
  const real = outputs.flatMap(({ spec, activation }) =>
    spec.datatype === "FP32" && isActivation(activation) ? [{ name: spec.name, activation }] : [],
  );
  if (real.length === 0) {
    throw fail("MODEL_UNSUPPORTED", "The model answers labels alone; conifer has scores.", {
      hint: "Export it with its probabilities.",
    });
  }
  const { scores, first } = scoresOf(ensemble);
  const trees = scores.map((score) =>
    ensemble.trees
      .filter((tree) => tree.some((node) => node.kind === "leaf" && weightOf(node, score) !== 0))
      .map((tree) => columnsOf(tree, score)),
  );
  const count = Math.max(1, ...trees.map(({ length }) => length));
  return {
    first,
    outputs: real,
    ensemble: {
      n_features: rowWidth(inputs),
      n_classes: scores.length === 1 ? 2 : scores.length,
      n_trees: count,
      max_depth: Math.max(1, ...ensemble.trees.map(depthOf)),
      splitting_convention: conventionOf(ensemble),
      init_predict: scores.map((score) => ensemble.base[score] ?? 0),
      trees: Array.from({ length: count }, (_, at) => trees.map((own) => own[at] ?? nothing)),
    },
  };
}

type Adds = Extract<Tree[number], { readonly kind: "leaf" }>;

const weightOf = ({ adds }: Pick<Adds, "adds">, score: number): number =>
  adds.reduce((sum, [at, weight]) => (at === score ? sum + weight : sum), 0);

/** A score may have fewer trees than another. */
const nothing: ConiferTree = {
  feature: [-2],
  threshold: [0],
  value: [0],
  children_left: [-1],
  children_right: [-1],
};

const columnsOf = (tree: Tree, score: number): ConiferTree => ({
  feature: tree.map((node) => (node.kind === "branch" ? node.feature : -2)),
  threshold: tree.map((node) => (node.kind === "branch" ? node.threshold : 0)),
  value: tree.map((node) => (node.kind === "branch" ? 0 : weightOf(node, score))),
  children_left: tree.map((node) => (node.kind === "branch" ? node.yes : -1)),
  children_right: tree.map((node) => (node.kind === "branch" ? node.no : -1)),
});

/** conifer counts two classes as one score. */
function scoresOf({ base, trees, name }: TreeEnsemble): {
  readonly scores: readonly number[];
  readonly first: ConiferModel["first"];
} {
  if (base.length !== 2) return { scores: base.map((_, score) => score), first: null };
  const leaves = trees.flatMap((tree) => tree.flatMap((node) => ("adds" in node ? [node] : [])));
  const [zero = 0, one = 0] = base;
  if (leaves.every((leaf) => weightOf(leaf, 0) === 0))
    return { scores: [1], first: { constant: zero, factor: 0 } };
  if (leaves.every((leaf) => weightOf(leaf, 0) === -weightOf(leaf, 1)))
    return { scores: [1], first: { constant: zero + one, factor: -1 } };
  throw fail(
    "MODEL_UNSUPPORTED",
    `${name} has two scores of their own; conifer takes one, or three and more.`,
    { hint: "The boardwalk engine takes it." },
  );
}

/** @throws {AppError} `OPERATOR_UNSUPPORTED` where nodes ask in different ways. */
function conventionOf({ trees, name }: TreeEnsemble): ConiferEnsemble["splitting_convention"] {
  const tests = new Set(
    trees.flatMap((tree) => tree.flatMap((node) => (node.kind === "branch" ? [node.test] : []))),
  );
  if (tests.has("equal") || tests.size > 1) {
    throw fail(
      "OPERATOR_UNSUPPORTED",
      `${name} ${tests.has("equal") ? "asks for equal values, as categories are" : "has branches of both < and ≤"}; conifer takes one kind of threshold.`,
      { hint: "The boardwalk engine takes it." },
    );
  }
  return tests.has("up-to") ? "<=" : "<";
}

/** Branches on the longest way through a tree: its nodes stand behind their parents. */
function depthOf(tree: Tree): number {
  const depths = tree.map(() => 0);
  for (const [at, node] of tree.entries()) {
    if (node.kind !== "branch") continue;
    for (const child of [node.yes, node.no]) depths[child] = (depths[at] ?? 0) + 1;
  }
  return Math.max(...depths);
}

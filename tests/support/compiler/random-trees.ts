import type { Attribute, Graph } from "@/compiler/graph/graph";
import { randomFrom } from "@/compiler/random";
import type { TensorSpec } from "@/lib/common/tensor";

export interface RandomTrees {
  readonly seed: number;
  readonly trees: number;
  readonly depth: number;
  /** 16 where nothing is said. */
  readonly features?: number;
  /** Places that a feature can be split at; 24 where nothing is said. */
  readonly cuts?: number;
  /** Modes of branches, drawn from; `BRANCH_LT` where nothing is said. */
  readonly modes?: readonly string[];
  /** Missing values go either way; else they hold in no comparison. */
  readonly missing?: boolean;
  /** Every leaf adds to all of them, or each tree to one. */
  readonly scores?: number;
  readonly sharedLeaves?: boolean;
  /** Weights of leaves are between these. */
  readonly weights?: readonly [least: number, most: number];
  /** Makes a classifier; else a regressor. */
  readonly labels?: readonly number[];
  /** Further attributes, which win. */
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** A graph of one tree ensemble whose trees are full. Thresholds are `1/8, 2/8, …`, so rows can lie on them. */
export function randomTrees(request: RandomTrees): Graph {
  const { trees, depth, features = 16, cuts = 24, modes = ["BRANCH_LT"], labels } = request;
  const { scores = 1, sharedLeaves = false, weights = [-2, 2], missing = false } = request;
  const random = randomFrom(request.seed);
  const inner = 2 ** depth - 1;
  const nodes = Array.from({ length: trees * (2 * inner + 1) }, (_, place) => {
    const [tree, id] = [Math.floor(place / (2 * inner + 1)), place % (2 * inner + 1)];
    const isLeaf = id >= inner;
    return {
      tree,
      id,
      isLeaf,
      feature: isLeaf ? 0 : random.integer(0, features - 1),
      value: isLeaf ? 0 : random.integer(1, cuts) / 8,
      mode: isLeaf ? "LEAF" : (modes[random.integer(0, modes.length - 1)] ?? "BRANCH_LT"),
      missing: missing ? random.integer(0, 1) : 0,
    };
  });
  const [least, most] = weights;
  const adds = nodes
    .filter(({ isLeaf }) => isLeaf)
    .flatMap(({ tree, id }) => {
      const own = sharedLeaves
        ? Array.from({ length: scores }, (_, score) => score)
        : [tree % scores];
      return own.map((score) => ({
        tree,
        id,
        score,
        weight: Math.fround(least + random.uniform() * (most - least)),
      }));
    });
  const kind = labels ? "class" : "target";
  const features2d: TensorSpec = { name: "features", datatype: "FP32", shape: [-1, features] };
  const outputs: TensorSpec[] = labels
    ? [
        { name: "label", datatype: "INT64", shape: [-1] },
        { name: "probabilities", datatype: "FP32", shape: [-1, labels.length] },
      ]
    : [{ name: "variable", datatype: "FP32", shape: [-1, scores] }];
  return {
    inputs: [features2d],
    outputs,
    nodes: [
      {
        name: "ensemble",
        operator: labels ? "TreeEnsembleClassifier" : "TreeEnsembleRegressor",
        domain: "ai.onnx.ml",
        inputs: ["features"],
        outputs: outputs.map(({ name }) => name),
        attributes: {
          nodes_treeids: nodes.map(({ tree }) => tree),
          nodes_nodeids: nodes.map(({ id }) => id),
          nodes_featureids: nodes.map(({ feature }) => feature),
          nodes_values: nodes.map(({ value }) => value),
          nodes_modes: nodes.map(({ mode }) => mode),
          nodes_truenodeids: nodes.map(({ id, isLeaf }) => (isLeaf ? 0 : 2 * id + 1)),
          nodes_falsenodeids: nodes.map(({ id, isLeaf }) => (isLeaf ? 0 : 2 * id + 2)),
          nodes_missing_value_tracks_true: nodes.map((node) => node.missing),
          [`${kind}_treeids`]: adds.map(({ tree }) => tree),
          [`${kind}_nodeids`]: adds.map(({ id }) => id),
          [`${kind}_ids`]: adds.map(({ score }) => score),
          [`${kind}_weights`]: adds.map(({ weight }) => weight),
          post_transform: "NONE",
          ...(labels ? { classlabels_int64s: [...labels] } : { n_targets: scores }),
          ...request.attributes,
        },
      },
    ],
    constants: new Map(),
    shapes: new Map(),
    opset: 17,
  };
}

/** Rows on the thresholds of `randomTrees`, right beside them, and some missing values. */
export function rowsOnThresholds(count: number, features: number, seed: number): Float32Array[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: features }, () => {
      if (random.integer(0, 9) === 0) return Number.NaN;
      return random.integer(0, 25) / 8 + random.integer(-1, 1) * 2 ** -22;
    }),
  );
}

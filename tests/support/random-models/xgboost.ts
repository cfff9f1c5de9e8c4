import { type Draw, drawFrom } from "./draw";
import { evaluateXgboost, holdXgboost } from "./evaluate-xgboost";
import type { RandomModel } from "./types";

/** A tree as XGBoost's JSON has it, with the fields that predicting needs. */
export interface XgboostTree {
  readonly left_children: number[];
  readonly right_children: number[];
  readonly split_indices: number[];
  readonly split_conditions: number[];
  readonly default_left: number[];
  readonly split_type: number[];
  readonly categories: number[];
  readonly categories_nodes: number[];
  readonly categories_segments: number[];
  readonly categories_sizes: number[];
  readonly tree_param: Readonly<Record<string, string>>;
}

/** What a file says, as its evaluation needs it. */
export interface XgboostFile {
  readonly booster: "gbtree" | "dart" | "gblinear";
  readonly objective: string;
  readonly features: number;
  readonly groups: number;
  readonly baseScores: readonly number[];
  readonly trees: readonly XgboostTree[];
  /** The output that each tree adds to. */
  readonly treeGroups: readonly number[];
  readonly drops: readonly number[];
  readonly weights: readonly number[];
  /** Features that hold categories. */
  readonly categorical: readonly number[];
}

const objectives = [
  "reg:squarederror",
  "reg:squarederror",
  "reg:logistic",
  "reg:gamma",
  "reg:tweedie",
  "reg:absoluteerror",
  "count:poisson",
  "survival:cox",
  "binary:logistic",
  "binary:logistic",
  "binary:logitraw",
  "binary:hinge",
  "multi:softprob",
  "multi:softprob",
  "multi:softmax",
  "rank:ndcg",
] as const;

/** A random file as `Booster.save_model()` writes it. */
export function randomXgboost(seed: number): RandomModel {
  const draw = drawFrom(seed);
  const file = drawFile(draw);
  const { booster, objective, features, groups, trees } = file;
  return {
    seed,
    format: "xgboost",
    family: booster,
    about: `${objective} ${features} features ${groups} outputs ${trees.length} trees, base ${file.baseScores[0]}`,
    bytes: new TextEncoder().encode(JSON.stringify(contentOf(file))),
    categorical: file.categorical,
    missing: true,
    hold: (answers, batch) => holdXgboost(answers, evaluateXgboost(file, batch), file),
  };
}

function drawFile(draw: Draw): XgboostFile {
  const booster = draw.pick(["gbtree", "gbtree", "gbtree", "dart", "gblinear"] as const);
  const objective = draw.pick(objectives);
  const classes = objective.startsWith("multi:") ? draw.pick([2, 3, 5]) : 0;
  const targets = objective === "reg:squarederror" && draw.chance(0.3) ? 2 : 1;
  const groups = Math.max(1, classes, targets);
  const features = draw.pick([1, 2, 4, 9]);
  const isPositive = /gamma|tweedie|poisson|cox/.test(objective);
  const isShare = /logistic/.test(objective);
  const score = () =>
    isShare
      ? draw.pick([0.5, 0.5, 0.25, 1e-6, 0.9999999])
      : isPositive
        ? draw.pick([0.5, 1, 150, 1e-30])
        : draw.pick([0.5, 0, -0, -3.25, 150, 1e-40, 1e20]);
  const one = score();
  const baseScores = Array.from({ length: groups }, () =>
    classes > 0 && draw.chance(0.5) ? 0 : one,
  );
  const rounds = booster === "gblinear" ? 0 : draw.pick([0, 1, 1, 3, 8, 20]);
  const scale = isPositive || isShare ? draw.pick([0, 0.01, 0.3]) : drawLeafScale(draw);
  const depth = draw.pick([0, 1, 2, 3, 5]);
  const categorical = booster !== "gblinear" && draw.chance(0.15) ? [0] : [];
  const treeGroups = Array.from({ length: rounds }, () =>
    Array.from({ length: groups }, (_, g) => g),
  );
  const all = treeGroups.flat();
  return {
    booster,
    objective,
    features,
    groups,
    baseScores,
    trees: all.map(() => drawTree(draw, { depth, features, scale, categorical })),
    treeGroups: all,
    drops: all.map(() => (booster === "dart" ? draw.pick([1, 0.5, 0.25, 0]) : 1)),
    weights:
      booster === "gblinear"
        ? Array.from({ length: (features + 1) * groups }, () => Math.fround(scale * draw.normal()))
        : [],
    categorical,
  };
}

const drawLeafScale = (draw: Draw): number =>
  draw.pick([0, 1e-40, 1e-20, 1e-5, 0.3, 0.3, 0.3, 10, 1e6, 1e20]);

interface TreeWish {
  readonly depth: number;
  readonly features: number;
  readonly scale: number;
  readonly categorical: readonly number[];
}

function drawTree(draw: Draw, { depth, features, scale, categorical }: TreeWish): XgboostTree {
  const tree: XgboostTree = {
    left_children: [],
    right_children: [],
    split_indices: [],
    split_conditions: [],
    default_left: [],
    split_type: [],
    categories: [],
    categories_nodes: [],
    categories_segments: [],
    categories_sizes: [],
    tree_param: { size_leaf_vector: "1", num_feature: String(features) },
  };
  const add = (level: number): number => {
    const id = tree.left_children.push(-1) - 1;
    tree.right_children.push(-1);
    tree.split_type.push(0);
    tree.default_left.push(draw.integer(0, 1));
    const isLeaf = level === depth || draw.chance(0.1);
    const feature = draw.integer(0, features - 1);
    tree.split_indices.push(isLeaf ? 0 : feature);
    tree.split_conditions.push(isLeaf ? Math.fround(scale * draw.normal()) : drawThreshold(draw));
    if (isLeaf) return id;
    if (categorical.includes(feature)) {
      const chosen = [0, 1, 2, 3, 4].filter(() => draw.chance(0.4));
      tree.split_type[id] = 1;
      tree.categories_nodes.push(id);
      tree.categories_segments.push(tree.categories.length);
      tree.categories_sizes.push(chosen.length);
      tree.categories.push(...chosen);
    }
    tree.left_children[id] = add(level + 1);
    tree.right_children[id] = add(level + 1);
    return id;
  };
  add(0);
  return {
    ...tree,
    tree_param: { ...tree.tree_param, num_nodes: String(tree.left_children.length) },
  };
}

/** On and beside the values that rows have. */
const drawThreshold = (draw: Draw): number =>
  draw.chance(0.15)
    ? Math.fround(draw.pick([0, -0, 1e-42, -1e-42, 1e30, -1e30, 3.4e38]))
    : Math.fround(draw.normal());

function contentOf(file: XgboostFile): unknown {
  const { booster, objective, features, groups, trees, treeGroups, drops, weights } = file;
  const isClasses = objective.startsWith("multi:");
  const gbtree = {
    name: "gbtree",
    model: {
      gbtree_model_param: { num_parallel_tree: "1", num_trees: String(trees.length) },
      iteration_indptr: Array.from({ length: trees.length / groups + 1 }, (_, at) => at * groups),
      tree_info: treeGroups,
      trees: trees.map((tree, id) => ({ id, ...tree })),
    },
  };
  const boosters = {
    gbtree,
    dart: { name: "dart", gbtree, weight_drop: drops },
    gblinear: { name: "gblinear", model: { boosted_rounds: 1, weights } },
  };
  return {
    version: [3, 0, 0],
    learner: {
      attributes: {},
      feature_names: [],
      feature_types: [],
      gradient_booster: boosters[booster],
      learner_model_param: {
        base_score: `[${file.baseScores.map((score) => score.toExponential()).join(",")}]`,
        num_class: String(isClasses ? groups : 0),
        num_feature: String(features),
        num_target: String(isClasses ? 1 : groups),
      },
      objective: { name: objective },
    },
  };
}

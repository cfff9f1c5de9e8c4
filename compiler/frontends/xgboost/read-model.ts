import { fail } from "@/lib/common/errors";
import { hasKey } from "@/lib/common/records";
import { countAt, listAt, missing, numbersAt, objectAt, textAt } from "./fields";
import { limits } from "./limits";
import { links } from "./links";
import type { LinearModel, TreeModel, XgboostModel } from "./model";
import { readTree } from "./read-tree";

/**
 * Reads what a file holds into a model. The trees up to the best iteration count, where training noted one: that is what
 * XGBoost's scikit-learn interface predicts with.
 *
 * @throws {AppError} `MODEL_INVALID`, `MODEL_CYCLE`, `MODEL_UNSUPPORTED`, `MODEL_TOO_COMPLEX`.
 */
export function readModel(value: unknown): XgboostModel {
  const learner = objectAt(objectAt(value, "learner")["learner"], "learner");
  const parameters = objectAt(learner["learner_model_param"], "learner_model_param");
  const features = countAt(parameters["num_feature"], "num_feature", limits.features);
  const classes = countAt(parameters["num_class"] ?? 0, "num_class", limits.groups);
  const targets = countAt(parameters["num_target"] ?? 1, "num_target", limits.groups);
  const groups = Math.max(1, classes, targets);
  const objective = textAt(objectAt(learner["objective"], "objective")["name"], "objective.name");
  const link = hasKey(links, objective) ? links[objective] : undefined;
  if (!link) {
    throw fail("MODEL_UNSUPPORTED", `The objective ${objective} is not known.`, {
      hint: `Known are ${Object.keys(links).join(", ")}.`,
    });
  }
  const attributes = objectAt(learner["attributes"] ?? {}, "attributes");
  const best = attributes["best_iteration"];
  const booster = readBooster(objectAt(learner["gradient_booster"], "gradient_booster"), {
    features,
    groups,
    rounds: best === undefined ? null : countAt(best, "best_iteration", limits.trees) + 1,
  });
  const scores = baseScores(parameters["base_score"], groups);
  return { booster, objective, features, groups, baseMargins: scores.map(link.margin) };
}

/** XGBoost 3 writes a list as text, older versions one number as text. */
function baseScores(value: unknown, groups: number): readonly number[] {
  const text = typeof value === "string" ? value : String(value ?? "0.5");
  const scores = text
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map(Number);
  const [first] = scores;
  if (scores.some((score) => !Number.isFinite(score))) throw missing("base_score");
  if (scores.length === groups) return scores;
  if (scores.length === 1) return Array<number>(groups).fill(first ?? 0);
  throw missing("base_score");
}

interface BoosterRequest {
  readonly features: number;
  readonly groups: number;
  /** Rounds of boosting that count; null: all. */
  readonly rounds: number | null;
}

function readBooster(
  booster: Readonly<Record<string, unknown>>,
  request: BoosterRequest,
): TreeModel | LinearModel {
  const name = textAt(booster["name"], "gradient_booster.name");
  if (name === "gblinear") return readLinear(booster, request);
  if (name === "gbtree") return readTrees(booster, request, null);
  if (name === "dart") {
    const drop = numbersAt(booster["weight_drop"], "weight_drop");
    return readTrees(objectAt(booster["gbtree"], "gbtree"), request, drop);
  }
  throw fail("MODEL_UNSUPPORTED", `The booster ${name} is not known.`, {
    hint: "Known are gbtree, dart and gblinear.",
  });
}

function readLinear(
  booster: Readonly<Record<string, unknown>>,
  { features, groups }: BoosterRequest,
): LinearModel {
  const weights = numbersAt(objectAt(booster["model"], "model")["weights"], "weights");
  if (weights.length !== (features + 1) * groups) throw missing("weights");
  return { kind: "linear", weights };
}

function readTrees(
  booster: Readonly<Record<string, unknown>>,
  { features, groups, rounds }: BoosterRequest,
  drop: readonly number[] | null,
): TreeModel {
  const model = objectAt(booster["model"], "model");
  const all = listAt(model["trees"], "trees");
  const info = numbersAt(model["tree_info"], "tree_info");
  if (all.length > limits.trees || info.length !== all.length) throw missing("tree_info");
  const list = all.slice(0, treesOf(model, { rounds, groups, count: all.length }));
  let nodes = 0;
  const trees = list.map((value, index) => {
    const group = info[index] ?? -1;
    if (!Number.isInteger(group) || group < 0 || group >= groups) throw missing("tree_info");
    const tree = readTree(value, { index, group, groups, features, scale: drop?.[index] ?? 1 });
    nodes += tree.left.length;
    if (nodes > limits.nodes) {
      throw fail("MODEL_TOO_COMPLEX", `The model has more than ${limits.nodes} tree nodes.`);
    }
    return tree;
  });
  return { kind: "trees", trees };
}

/** Trees of the rounds that count. Older files do not say where rounds end: then each has one tree a group. */
function treesOf(
  model: Readonly<Record<string, unknown>>,
  { rounds, groups, count }: { rounds: number | null; groups: number; count: number },
): number {
  if (rounds === null) return count;
  const ends = model["iteration_indptr"];
  if (ends !== undefined) return numbersAt(ends, "iteration_indptr")[rounds] ?? count;
  const parameters = objectAt(model["gbtree_model_param"] ?? {}, "gbtree_model_param");
  const parallel = countAt(parameters["num_parallel_tree"] ?? 1, "num_parallel_tree", limits.trees);
  return Math.min(count, rounds * groups * Math.max(1, parallel));
}

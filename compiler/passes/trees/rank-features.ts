import { type FeatureRanks, rankBytes } from "@/lib/common/ranks";
import { refuseModel } from "../../graph/refuse";
import type { IntegerTree, RankFeature } from "../../integer/integer-graph";
import type { Branch } from "../../model/trees/ensemble";
import type { GridTree } from "./quantize-leaves";

export interface RankedTrees {
  /** One for each feature of the model. */
  readonly ranks: readonly FeatureRanks[];
  /** Those that are sent. */
  readonly features: readonly RankFeature[];
  readonly inputBytes: number;
  readonly trees: readonly IntegerTree[];
}

/**
 * Replaces every threshold by its place among all thresholds of its feature, so that a comparison of floats becomes one
 * of ranks, exactly.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` for comparisons with infinity.
 */
export function rankFeatures(trees: readonly GridTree[], features: number): RankedTrees {
  const branches = new Map<number, Branch[]>();
  for (const { nodes } of trees) {
    for (const node of nodes) {
      if (node.kind === "leaf") continue;
      const own = branches.get(node.feature);
      if (own) own.push(node);
      else branches.set(node.feature, [node]);
    }
  }
  const ranks = Array.from({ length: features }, (_, feature): FeatureRanks => {
    const own = branches.get(feature) ?? [];
    return {
      thresholds: [...new Set(own.map(boundOf))].sort((a, b) => a - b),
      missing: own.some(({ missingYes }) => missingYes),
    };
  });
  // A row of a model that compares nothing is a byte all the same: it asks for the answer.
  const [first] = ranks;
  if (first && branches.size === 0) ranks[0] = { ...first, thresholds: [0] };
  const sent: RankFeature[] = [];
  const places = new Map<number, number>();
  let offset = 0;
  for (const [feature, each] of ranks.entries()) {
    const bytes = rankBytes(each);
    if (bytes === 0) continue;
    places.set(feature, sent.push({ offset, bytes }) - 1);
    offset += bytes;
  }
  const indices = ranks.map(
    ({ thresholds }) => new Map(thresholds.map((threshold, index) => [threshold, index])),
  );
  const ranked = (branch: Branch) => ({
    feature: places.get(branch.feature) ?? 0,
    limit: (indices[branch.feature]?.get(boundOf(branch)) ?? 0) + 1,
    missingYes: branch.missingYes,
    yes: branch.yes,
    no: branch.no,
  });
  return {
    ranks,
    features: sent,
    inputBytes: offset,
    trees: trees.map(({ nodes }) =>
      nodes.map((node) => (node.kind === "branch" ? ranked(node) : { values: node.values })),
    ),
  };
}

/** The float32 `t` for which a branch holds exactly where `value < t`. */
function boundOf({ test, threshold, feature }: Branch): number {
  const bound = test === "below" ? threshold : nextFloat32(threshold);
  if (Number.isFinite(bound)) return bound === 0 ? 0 : bound;
  throw refuseModel(
    `The trees compare feature ${feature} with infinity, which FPGA boards do not take.`,
  );
}

/** The smallest float32 above a finite one. @see IEEE 754-2019 §5.3.1, nextUp */
export function nextFloat32(value: number): number {
  if (value === 0) return 2 ** -149;
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getInt32(0);
  view.setInt32(0, bits < 0 ? bits - 1 : bits + 1);
  return view.getFloat32(0);
}

import { randomTrees } from "../compiler/random-trees";
import type { Draw } from "./draw";
import type { DrawnGraph } from "./types";

/** Ensembles of trees, from a single leaf to many, with every comparison, and leaves of any size. */
export function drawTrees(draw: Draw): DrawnGraph {
  const depth = draw.pick([0, 1, 2, 3, 4, 7]);
  const trees = draw.pick([1, 1, 3, 10, depth > 4 ? 2 : 25]);
  const features = draw.pick([1, 2, 5, 16]);
  const labels = draw.chance(0.4)
    ? Array.from({ length: draw.pick([2, 2, 3, 5]) }, (_, index) => index * draw.pick([1, 3]))
    : undefined;
  const large = draw.pick([0, 1e-40, 1e-20, 1e-3, 2, 2, 2, 1e4, 1e20]);
  const modes = draw.pick([
    ["BRANCH_LT"],
    ["BRANCH_LEQ"],
    ["BRANCH_GT", "BRANCH_GTE"],
    ["BRANCH_EQ", "BRANCH_NEQ", "BRANCH_LT"],
  ]);
  const scores = labels ? labels.length : draw.pick([1, 1, 2, 4]);
  const transform = draw.pick(["NONE", "NONE", "LOGISTIC", "SOFTMAX"]);
  const distinct = labels ? [...new Set(labels)] : undefined;
  return {
    about: `${trees} trees of depth ${depth}, ${features} features, ${scores} scores, leaves ${large}, ${modes[0]}, ${transform}${labels ? ", classifier" : ""}`,
    graph: randomTrees({
      seed: draw.integer(1, 1e9),
      trees,
      depth,
      features,
      cuts: draw.pick([1, 3, 24]),
      modes,
      missing: draw.chance(0.5),
      scores,
      sharedLeaves: draw.chance(0.5),
      weights: [draw.chance(0.2) ? large : -large, large],
      ...(distinct && distinct.length === labels?.length ? { labels: distinct } : {}),
      attributes: { post_transform: transform },
    }),
  };
}

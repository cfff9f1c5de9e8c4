import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { classNames } from "../model/head";
import { scoresOf, type Transform } from "../model/trees/ensemble";
import { readEnsemble } from "../model/trees/read-ensemble";
import type { Operator } from "./operator";

/**
 * Walks every tree for every row: the outputs of a `TreeEnsembleRegressor`, or of a `TreeEnsembleClassifier`, labels
 * first.
 *
 * @throws {AppError} as `readEnsemble`.
 */
function treeEnsemble(node: GraphNode, { shape, values }: RealTensor): RealTensor[] {
  const ensemble = readEnsemble(node);
  const { labels, transform, base } = ensemble;
  const [rows = 1, width = 1] = shape;
  const size = base.length;
  const scores = new Float64Array(rows * size);
  const chosen = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const sums = scoresOf(ensemble, values.subarray(row * width, (row + 1) * width));
    if (labels) chosen[row] = labels[sums.indexOf(Math.max(...sums))] ?? 0;
    scores.set(transforms[transform](sums), row * size);
  }
  const answer = { shape: [rows, size], values: scores };
  return labels ? [{ shape: [rows], values: chosen }, answer] : [answer];
}

const transforms: Readonly<Record<Transform, (scores: readonly number[]) => number[]>> = {
  none: (scores) => [...scores],
  exp: (scores) => scores.map(Math.exp),
  sigmoid: (scores) => scores.map((score) => 1 / (1 + Math.exp(-score))),
  softmax: (scores) => {
    const largest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - largest));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  },
};

/** `TreeEnsembleRegressor` and `TreeEnsembleClassifier`; `model/trees` reads them. */
export const treeEnsembles: Operator = {
  evaluate: ({ node, input }) => treeEnsemble(node, input(0)),
};

/** Columns of the first, chosen by the numbers in the second. */
function picked({ shape, values }: RealTensor, chosen: RealTensor): RealTensor {
  const columns = shape.at(-1) ?? 1;
  const rows = Math.max(1, Math.round(values.length / columns));
  const count = chosen.values.length;
  return {
    shape: shape.length < 2 ? [1, count] : [...shape.slice(0, -1), count],
    values: Float64Array.from(
      { length: rows * count },
      (_, index) =>
        values[Math.floor(index / count) * columns + (chosen.values[index % count] ?? 0)] ??
        Number.NaN,
    ),
  };
}

export const arrayFeatureExtractor: Operator = {
  evaluate: ({ input }) => picked(input(0), input(1)),
  head: classNames,
};

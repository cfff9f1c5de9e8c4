import type { GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { scoresOf, type Transform } from "../model/trees/ensemble";
import { readEnsemble } from "../model/trees/read-ensemble";

/**
 * Walks every tree for every row: the outputs of a `TreeEnsembleRegressor`, or of a `TreeEnsembleClassifier`, labels
 * first.
 *
 * @throws {AppError} as `readEnsemble`.
 */
export function treeEnsemble(node: GraphNode, { shape, values }: RealTensor): RealTensor[] {
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

import { dequantize } from "@/lib/common/fixed-point";
import type { IntegerGraph } from "../integer/integer-graph";
import { runIntegerGraph } from "../integer/run-integer-graph";

interface Trials {
  /** As the core takes them. */
  readonly rows: readonly Int8Array[];
  /** The float layers' scores for each row. */
  readonly scores: readonly ArrayLike<number>[];
}

/**
 * Chooses the layers whose largest weights are clipped. Clipping wins a lot or loses some: one layer after the other keeps
 * it only if the scores come closer to the float layers'.
 *
 * @param hasWeights By layer.
 * @param build Makes the graph of a choice.
 */
export function clipWhereItHelps(
  hasWeights: readonly boolean[],
  build: (clipped: readonly boolean[]) => IntegerGraph,
  trials: Trials,
): IntegerGraph {
  let clipped: readonly boolean[] = hasWeights.map(() => false);
  let best = build(clipped);
  let least = errorOf(best, trials);
  for (const [layer, has] of hasWeights.entries()) {
    if (!has) continue;
    const trial = clipped.with(layer, true);
    const graph = build(trial);
    const error = errorOf(graph, trials);
    if (error < least) [clipped, best, least] = [trial, graph, error];
  }
  return best;
}

/** The sum of squared distances of all scores. */
function errorOf(graph: IntegerGraph, { rows, scores }: Trials): number {
  let error = 0;
  for (const [index, row] of rows.entries()) {
    const { output } = runIntegerGraph(graph, row);
    for (const [element, integer] of output.entries()) {
      error += (dequantize(integer, graph.output) - (scores[index]?.[element] ?? 0)) ** 2;
    }
  }
  return error;
}

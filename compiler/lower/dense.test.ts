import { describe, expect, it } from "vitest";
import { dequantize } from "@/lib/common/fixed-point";
import { loadSample, sampleIds } from "@/tests/support/compiler/samples";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runDenseNetwork } from "../model/dense-network";
import { inputFormatOf, precisions } from "../passes/precision";
import { quantizeRow } from "../passes/quantize-network";
import { denseNetwork } from "../reader";
import { lowerDense } from "./dense";

const winner = (scores: ArrayLike<number>) =>
  Array.from(scores).indexOf(Math.max(...Array.from(scores)));

describe("lowering the samples to integers", () => {
  /** Largest difference of a score from the float model: mostly inputs beyond 4 deviations, which are clipped. */
  const tolerance = {
    "iris-mlp": 1,
    "digits-mlp": 6,
    "jets-small-mlp": 1,
    "banknote-mlp": 1,
  } as const;

  it.each(sampleIds)("%s keeps its predicted classes on held-back rows", (id) => {
    const { graph, card, rows, labels } = loadSample(id);
    const { standardisation, integerGraph } = lowerDense({
      graph,
      inputRange: card.inputRange ?? null,
      calibration: null,
    });
    let agreeing = 0;
    let right = 0;
    let rightInFloat = 0;
    let worst = 0;
    for (const [index, row] of rows.entries()) {
      const scores = runDenseNetwork(denseNetwork(graph).layers, row).at(-1) ?? [];
      const standard = row.map(
        (value, feature) =>
          (value - (standardisation.mean[feature] ?? 0)) /
          (standardisation.deviation[feature] ?? 1),
      );
      const { output } = runIntegerGraph(
        integerGraph,
        quantizeRow(standard, inputFormatOf(precisions["exact-ish"])),
      );
      const reals = Array.from(output, (value) => dequantize(value, integerGraph.output));
      for (const [element, score] of Array.from(scores).entries()) {
        worst = Math.max(worst, Math.abs(score - (reals[element] ?? 0)));
      }
      if (winner(scores) === winner(output)) agreeing++;
      if (winner(output) === labels[index]) right++;
      if (winner(scores) === labels[index]) rightInFloat++;
    }
    expect(worst).toBeLessThan(tolerance[id]);
    expect(agreeing / rows.length).toBeGreaterThanOrEqual(0.98);
    expect(right / rows.length).toBeGreaterThanOrEqual(rightInFloat / rows.length - 0.01);
  });
});

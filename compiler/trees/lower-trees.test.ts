import { describe, expect, it } from "vitest";
import { dequantize } from "@/lib/common/fixed-point";
import { encodeRanks } from "@/lib/common/ranks";
import { loadTreeSample, treeSampleIds } from "@/tests/support/compiler/tree-samples";
import { runIntegerGraph } from "../run-integer-graph";
import { scoresOf } from "./ensemble";
import { lowerTrees } from "./lower-trees";

const indexOfLargest = (values: readonly number[]) => values.indexOf(Math.max(...values));

describe("lowering trees to integers", () => {
  it.each(treeSampleIds)("%s answers held-back rows as its own library did", (id) => {
    const { graph, rows, answers } = loadTreeSample(id);
    const { model, ranks, integerGraph, errorBound } = lowerTrees(graph);
    const { ensemble } = model;
    const probabilities = answers.get("probabilities");
    const labels = answers.get("label");
    const variable = answers.get("variable");
    expect(rows).toHaveLength(32);
    for (const [index, row] of rows.entries()) {
      const { output } = runIntegerGraph(integerGraph, encodeRanks(row, ranks));
      const scores = Array.from(output, (value) => dequantize(value, integerGraph.output));
      for (const [score, exact] of scoresOf(ensemble, row).entries()) {
        expect(Math.abs((scores[score] ?? Number.NaN) - exact)).toBeLessThanOrEqual(errorBound);
      }
      if (labels && probabilities) {
        expect(indexOfLargest(scores)).toBe(labels[index]);
        const own = probabilities.slice(index * scores.length, (index + 1) * scores.length);
        expect(indexOfLargest(scores)).toBe(indexOfLargest(own));
      }
      if (variable) {
        const difference = Math.abs((scores[0] ?? Number.NaN) - (variable[index] ?? 0));
        // XGBoost sums in float32.
        expect(difference).toBeLessThanOrEqual(errorBound + 1e-4);
      }
    }
  });

  it.each(treeSampleIds)("%s has scores exact to a thousandth of their range", (id) => {
    const { integerGraph, errorBound } = lowerTrees(loadTreeSample(id).graph);
    const [, sum] = integerGraph.nodes;
    const step = 2 ** -integerGraph.output.fraction;
    expect(errorBound / step).toBeGreaterThan(1);
    expect(sum?.op === "sum" && sum.width).toBe(16);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { dequantize } from "@/lib/common/fixed-point";
import { encodeRanks } from "@/lib/common/ranks";
import { loadTreeSample, readTreeFile, treeSampleIds } from "@/tests/support/compiler/tree-samples";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { scoresOf } from "../model/trees/ensemble";
import { lowerTrees } from "./trees";

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
    const [trees, sum] = integerGraph.nodes;
    if (trees?.op !== "trees" || sum?.op !== "sum") throw new Error("no trees");
    const most = trees.trees.flatMap((tree) => {
      const leaves = tree.flatMap((node) => ("values" in node ? [node.values] : []));
      return (leaves[0] ?? []).map((_, column) =>
        Math.max(...leaves.map((each) => each[column] ?? 0)),
      );
    });
    const ranges = sum.terms.map((places) => places.reduce((all, at) => all + (most[at] ?? 0), 0));
    const steps = errorBound * 2 ** integerGraph.output.fraction;
    // Trees that round to nothing belong to the range too, hence a little more.
    expect(steps / Math.max(...ranges)).toBeLessThan(1.1 / 1000);
    expect(sum.width).toBe(16);
    expect(Math.max(...most)).toBeLessThan(2 ** 12);
  });
});

describe("every tree model of XGBoost that FPGA boards take", () => {
  const folder = "tests/fixtures/xgboost";
  const refused = /^(categories|binary-hinge|gblinear)/;
  const files = readdirSync(folder).filter(
    (name) => /^[^.]+\.(json|ubj)$/.test(name) && !refused.test(name),
  );
  const told = (file: string): { rows: (number | null)[][]; answers: number[][] } =>
    JSON.parse(readFileSync(`${folder}/${file.split(".")[0]}.answers.json`, "utf8"));

  it.each(files)("%s", (file) => {
    const graph = readTreeFile(file, readFileSync(`${folder}/${file}`));
    const { model, ranks, integerGraph, errorBound } = lowerTrees(graph);
    const { rows, answers } = told(file);
    expect(rows.length).toBeGreaterThan(5);
    const [output] = model.outputs;
    for (const [index, cells] of rows.entries()) {
      const row = cells.map((value) => value ?? Number.NaN);
      const integers = runIntegerGraph(integerGraph, encodeRanks(row, ranks)).output;
      const scores = Array.from(integers, (value) => dequantize(value, integerGraph.output));
      for (const [score, exact] of scoresOf(model.ensemble, row).entries()) {
        const difference = Math.abs((scores[score] ?? Number.NaN) - exact);
        expect(difference).toBeLessThanOrEqual(errorBound + 1e-9);
      }
      const wanted = [answers[index] ?? []].flat();
      const got = finished(output?.activation ?? "none", scores);
      // Of two classes XGBoost tells the second one's probability only.
      const own = got.length === 2 && wanted.length === 1 ? got.slice(1) : got;
      for (const [place, value] of wanted.entries()) {
        const scale = output?.activation === "exp" ? Math.max(1, Math.abs(value)) : 1;
        const error = Math.abs((own[place] ?? Number.NaN) - value);
        expect(error).toBeLessThanOrEqual(2 * errorBound * scale + 1e-4 * Math.max(1, value));
      }
    }
  });

  function finished(activation: string, scores: readonly number[]): number[] {
    if (activation === "argmax") return [indexOfLargest(scores)];
    if (activation === "exp") return scores.map(Math.exp);
    if (activation === "sigmoid") return scores.map((score) => 1 / (1 + Math.exp(-score)));
    if (activation === "none") return [...scores];
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
    return scores.map((score) => Math.exp(score) / sum);
  }
});

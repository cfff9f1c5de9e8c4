import { readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { dequantize } from "@/lib/common/fixed-point";
import { encodeRanks } from "@/lib/common/ranks";
import {
  type RandomTrees,
  randomTrees,
  rowsOnThresholds,
} from "@/tests/support/compiler/random-trees";
import { readTreeFile } from "@/tests/support/compiler/tree-samples";
import { exportOnnx } from "../export-onnx";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { lowerTrees } from "../lower/trees";
import { scoresOf } from "../model/trees/ensemble";
import { runGraph } from "../operators/run-graph";
import { readTreeModel } from "./trees";

const all = "BRANCH_LT BRANCH_LEQ BRANCH_GT BRANCH_GTE".split(" ");
const base = { seed: 3, trees: 9, depth: 3 };

/** What ONNX Runtime answers to rows, by output. */
async function judge(graph: Graph, rows: readonly Float32Array[]) {
  const session = await InferenceSession.create(exportOnnx(graph), { intraOpNumThreads: 1 });
  const width = rows[0]?.length ?? 1;
  const values = Float32Array.from(rows.flatMap((row) => [...row]));
  const answers = await session.run({
    features: new Tensor("float32", values, [rows.length, width]),
  });
  return new Map(
    graph.outputs.map(({ name }) => [
      name,
      Array.from(answers[name]?.data as Float32Array, Number),
    ]),
  );
}

const cases: readonly (RandomTrees & { readonly why: string })[] = [
  { ...base, why: "below a threshold" },
  { ...base, modes: ["BRANCH_LEQ"], why: "up to a threshold" },
  { ...base, modes: all, missing: true, why: "every way to compare, missing values either way" },
  { ...base, modes: all, scores: 3, sharedLeaves: true, why: "leaves that add to three scores" },
  { ...base, attributes: { aggregate_function: "AVERAGE" }, why: "an average" },
  { ...base, attributes: { base_values: [40.5] }, why: "a base value" },
  { ...base, scores: 3, attributes: { post_transform: "SOFTMAX" }, why: "a softmax" },
  { ...base, scores: 2, attributes: { post_transform: "LOGISTIC" }, why: "sigmoids" },
  { ...base, scores: 3, labels: [0, 1, 2], why: "three classes" },
  { ...base, scores: 3, labels: [5, 2, 9], sharedLeaves: true, why: "labels in no order" },
  {
    ...base,
    scores: 3,
    labels: [0, 1, 2],
    attributes: { post_transform: "SOFTMAX", base_values: [1, 0, -1] },
    why: "three classes with a softmax and base values",
  },
  { ...base, weights: [0, 0.11], labels: [0, 1], why: "two classes by shares of votes" },
  { ...base, labels: [0, 1], why: "two classes by the sign of a sum" },
  {
    ...base,
    labels: [3, 4],
    attributes: { post_transform: "LOGISTIC", base_values: [0.2] },
    why: "two classes by the sigmoid of a sum",
  },
];

describe("a tree ensemble as read", () => {
  it.each(cases)("answers like ONNX Runtime: $why", async (request) => {
    const graph = randomTrees(request);
    const rows = rowsOnThresholds(200, 16, 5);
    const judged = await judge(graph, rows);
    const values = Float32Array.from(rows.flatMap((row) => [...row]));
    const ours = runGraph(graph, new Map([["features", { shape: [rows.length, 16], values }]]));
    for (const [name, wanted] of judged) {
      const got = ours.get(name)?.values ?? new Float64Array();
      expect(got).toHaveLength(wanted.length);
      for (const [index, value] of wanted.entries()) {
        const error = Math.abs((got[index] ?? Number.NaN) - value);
        expect(error).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
      }
    }
  });

  it.each(["categories", "categories-one-hot"])("answers like ONNX Runtime: %s", async (file) => {
    const folder = "tests/fixtures/xgboost";
    const graph = readTreeFile(`${file}.json`, readFileSync(`${folder}/${file}.json`));
    const { rows } = JSON.parse(readFileSync(`${folder}/${file}.answers.json`, "utf8"));
    const values = (rows as (number | null)[][]).map((row) =>
      Float32Array.from(row, (value) => value ?? Number.NaN),
    );
    const [[name, wanted] = ["", []]] = await judge(graph, values);
    const shape = [values.length, values[0]?.length ?? 1];
    const flat = Float32Array.from(values.flatMap((row) => [...row]));
    const ours = runGraph(graph, new Map([["features", { shape, values: flat }]])).get(name);
    for (const [index, value] of wanted.entries()) {
      expect(Math.abs((ours?.values[index] ?? Number.NaN) - value)).toBeLessThan(1e-4);
    }
  });

  it.each(cases)("makes every decision in integers: $why", (request) => {
    const graph = randomTrees(request);
    const { model, ranks, integerGraph, errorBound } = lowerTrees(graph);
    for (const row of rowsOnThresholds(200, 16, 6)) {
      const { output } = runIntegerGraph(integerGraph, encodeRanks(row, ranks));
      for (const [score, exact] of scoresOf(model.ensemble, row).entries()) {
        const got = dequantize(output[score] ?? Number.NaN, integerGraph.output);
        expect(Math.abs(got - exact)).toBeLessThanOrEqual(errorBound + 1e-12);
      }
    }
  });
});

describe("what a reader of trees refuses", () => {
  const broken = (attributes: RandomTrees["attributes"], more: Partial<RandomTrees> = {}) =>
    randomTrees({ ...base, ...more, ...(attributes ? { attributes } : {}) });
  const parts = base.trees * 15;
  const ids = Array.from({ length: parts }, (_, place) => place % 15);
  const children = (change: (id: number) => number) => ids.map((id) => (id < 7 ? change(id) : 0));

  it.each([
    {
      why: "a cycle",
      attributes: { nodes_truenodeids: children(() => 0) },
      says: /cycle in tree 0/,
    },
    {
      why: "a cycle further down",
      attributes: { nodes_truenodeids: children((id) => (id === 5 ? 2 : 2 * id + 1)) },
      says: /cycle in tree 0/,
    },
    {
      why: "a child that is not there",
      attributes: { nodes_truenodeids: children((id) => id + 100) },
      says: /child 100 at tree 0, node 0, which is not there/,
    },
    { why: "a short column", attributes: { nodes_values: [1] }, says: /different lengths/ },
    { why: "short leaves", attributes: { target_ids: [0] }, says: /different lengths/ },
    { why: "a node twice", attributes: { nodes_nodeids: ids.map(() => 0) }, says: /twice/ },
    {
      why: "a score beyond",
      attributes: { target_ids: Array.from({ length: base.trees * 8 }, () => 1) },
      says: /score 1 of 1/,
    },
  ])("is no tree: $why", ({ attributes, says }) => {
    expect(() => readTreeModel(broken(attributes))).toThrow(
      expect.objectContaining({ reason: "MODEL_INVALID", message: expect.stringMatching(says) }),
    );
  });

  const half = Array.from({ length: base.trees * 8 }, (_, place) => place % 2);
  it.each([
    { change: broken({ aggregate_function: "MAX" }), says: /MAX of its trees/ },
    { change: broken({ post_transform: "PROBIT" }), says: /ends in PROBIT/ },
    { change: broken({ post_transform: "constructor" }), says: /ends in constructor/ },
    { change: broken({}, { modes: ["BRANCH_MEMBER"] }), says: /compares by BRANCH_MEMBER/ },
    {
      change: broken({ post_transform: "LOGISTIC" }, { labels: [0, 1], weights: [0, 1] }),
      says: /sigmoid of weights that are all positive/,
    },
    { change: broken({ class_ids: half }, { labels: [0, 1] }), says: /one sum for the second/ },
    { change: broken({}, { labels: [0, 1, 2] }), says: /no score at all/ },
    { change: broken({ post_transform: "LOGISTIC" }), says: /one score by sigmoid/ },
    { change: broken({ base_values: [1, 2] }), says: /2 base values for 1 scores/ },
  ])("by name: $says", ({ change, says }) => {
    expect(() => readTreeModel(change)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringMatching(says),
      }),
    );
  });

  it.each([
    { graph: broken({}, { modes: ["BRANCH_EQ"] }), says: /on categories/ },
    {
      graph: broken({ nodes_truenodeids: children((id) => 2 * id + 2) }),
      says: /Branches of the trees meet again/,
    },
    {
      graph: broken({}, { depth: 13, trees: 1 }),
      says: /8192 leaves; FPGA boards take 4096/,
    },
    { graph: broken({ nodes_values: ids.map(() => Infinity) }), says: /with infinity/ },
    { graph: broken({}, { weights: [1, 1] }), says: /the same answer/ },
    { graph: broken({ base_values: [1e12] }), says: /leaves would be lost/ },
    {
      graph: broken({ nodes_featureids: ids.map(() => 16) }),
      says: /feature 16; the model has 16/,
    },
  ])("as a model: $says", ({ graph, says }) => {
    expect(() => lowerTrees(graph)).toThrow(
      expect.objectContaining({
        reason: "MODEL_UNSUPPORTED",
        message: expect.stringMatching(says),
      }),
    );
  });

  it.each([
    { file: "categories.json", says: /on categories/ },
    { file: "categories-one-hot.json", says: /on categories/ },
    { file: "binary-hinge.json", says: /Operator Greater/ },
  ])("of XGBoost: $file", ({ file, says }) => {
    const graph = readTreeFile(file, readFileSync(`tests/fixtures/xgboost/${file}`));
    expect(() => lowerTrees(graph)).toThrow(says);
  });
});

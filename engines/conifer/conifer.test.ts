import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { runGraph } from "@/compiler";
import type { Digest } from "@/lib/common/contract";
import type { PlanRequest } from "../engine";
import { readModel } from "../read-model";
import { coniferEngine as engine } from ".";
import { type ConiferModel, type ConiferTree, readConiferModel } from "./ensemble";

const sha256 = (bytes: Uint8Array): Digest =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const modelOf = (path: string) => {
  const bytes = readFileSync(`tests/fixtures/${path}`);
  return readModel(bytes, sha256(bytes));
};
const graphOf = (path: string) => {
  const { graph } = modelOf(path);
  if (!graph) throw new Error("the fixture has a graph");
  return graph;
};
const request = (path: string, change: Partial<PlanRequest> = {}): PlanRequest => ({
  model: modelOf(path),
  card: null,
  calibration: null,
  board: getBoardModel("cpu"),
  boardKind: "cpu",
  options: {},
  toolVersions: {},
  sourceDigest: sha256(new Uint8Array()),
  sha256,
  ...change,
});
const taskOf = (path: string, change: Partial<PlanRequest> = {}) =>
  JSON.parse(String(engine.plan(request(path, change)).files.get("task.json")));

/** What conifer's model means, in real numbers. */
function answer({ ensemble, first, outputs }: ConiferModel, row: readonly number[]): number[] {
  const leaf = ({ feature, threshold, value, ...tree }: ConiferTree): number => {
    let at = 0;
    for (let asked = feature[at] ?? -2; asked >= 0; asked = feature[at] ?? -2) {
      const [own = 0, limit = 0] = [Math.fround(row[asked] ?? 0), threshold[at]];
      const isLeft = ensemble.splitting_convention === "<" ? own < limit : own <= limit;
      at = (isLeft ? tree.children_left : tree.children_right)[at] ?? 0;
    }
    return value[at] ?? 0;
  };
  const own = ensemble.init_predict.map((base, score) =>
    ensemble.trees.reduce((sum, trees) => sum + leaf(trees[score] as ConiferTree), base),
  );
  const scores = first ? [first.constant + first.factor * (own[0] ?? 0), ...own] : own;
  const exps = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const heads = {
    none: scores,
    exp: scores.map(Math.exp),
    sigmoid: scores.map((score) => 1 / (1 + Math.exp(-score))),
    softmax: exps.map((each) => each / exps.reduce((a, b) => a + b)),
  };
  return outputs.flatMap(({ activation }) => heads[activation]);
}

describe("trees for conifer", () => {
  it.each([
    ["models/iris-xgboost/model.json", 4, 3],
    ["models/breast-cancer-xgboost/model.ubj", 30, 2],
    ["models/diabetes-xgboost/model.json", 10, 2],
    ["models/wine-sklearn-forest/model.onnx", 13, 3],
    ["xgboost/count-poisson.json", null, 2],
    ["xgboost/dart.json", null, 2],
    ["xgboost/forest.json", null, 2],
    ["xgboost/multi-softprob.ubj", null, 3],
    ["xgboost/reg-logistic.json", null, 2],
  ])("mean what the model does: %s", (path, features, classes) => {
    const graph = graphOf(path);
    const model = readConiferModel(graph);
    if (features !== null) expect(model.ensemble.n_features).toBe(features);
    if (path.startsWith("models/")) expect(model.ensemble.n_classes).toBe(classes);
    const width = model.ensemble.n_features;
    let seed = 1;
    const rows = Array.from({ length: 40 }, () =>
      Array.from({ length: width }, (_, at) => {
        seed = (seed * 48_271) % 2_147_483_647;
        const thresholds = model.ensemble.trees
          .flat()
          .flatMap((tree) => tree.threshold.filter((_, node) => tree.feature[node] === at));
        const near = thresholds[seed % Math.max(1, thresholds.length)] ?? 0;
        return Math.fround(near + ((seed % 7) - 3) * 0.25 * (Math.abs(near) + 0.1));
      }),
    );
    const values = Float64Array.from(rows.flat());
    const wanted = runGraph(
      graph,
      new Map([[graph.inputs[0]?.name ?? "", { shape: [rows.length, width], values }]]),
    );
    for (const [at, row] of rows.entries()) {
      const want = model.outputs.flatMap(({ name }) => {
        const all = wanted.get(name)?.values ?? [];
        const size = all.length / rows.length;
        return Array.from(all).slice(at * size, (at + 1) * size);
      });
      const got = answer(model, row);
      expect(got).toHaveLength(want.length);
      for (const [place, each] of got.entries()) expect(each).toBeCloseTo(want[place] ?? NaN, 4);
    }
  });

  it.each([
    ["categories, which ask for equal values", "xgboost/categories-one-hot.json", /equal values/],
    ["a linear booster", "xgboost/gblinear.json", /takes trees/],
    ["a network", "models/diabetes-mlp/model.onnx", /takes trees/],
  ])("are not %s", (_, path, message) => {
    expect(engine.accepts(modelOf(path))).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(message) },
    });
  });

  it("are refused by the thousand, before a compiler sees them", () => {
    const { model } = request("models/iris-xgboost/model.json");
    const [trees, ...rest] = model.graph?.nodes ?? [];
    if (!trees || !model.graph) throw new Error("the sample has trees");
    const columns = Object.entries(trees.attributes).map(([name, value]) => {
      if (!Array.isArray(value) || name === "base_values") return [name, value];
      const many = Array.from({ length: 700 }, (_, at) =>
        name.endsWith("treeids") ? value.map((id) => Number(id) + at * 1000) : value,
      );
      return [name, many.flat()];
    });
    const graph = {
      ...model.graph,
      nodes: [{ ...trees, attributes: Object.fromEntries(columns) }, ...rest],
    };
    expect(engine.accepts({ ...model, graph })).toMatchObject({
      ok: false,
      problem: { reason: "MODEL_TOO_LARGE", message: expect.stringMatching(/trees/) },
    });
  });
});

describe("a plan for conifer", () => {
  it("takes as many bits as thresholds and sums need, or as many as are asked", () => {
    expect(taskOf("models/breast-cancer-xgboost/model.ubj")).toMatchObject({
      types: { feature: { width: 18, integerBits: 11 }, score: { width: 18, integerBits: 5 } },
      saturates: true,
      first: { constant: 0, factor: 0 },
    });
    const options = { width: 12, integerBits: 4, scoreWidth: 9, scoreIntegerBits: 3 };
    expect(
      taskOf("models/iris-xgboost/model.json", { options: { ...options, overflow: "wrap" } }),
    ).toMatchObject({
      types: { feature: { width: 12, integerBits: 4 }, score: { width: 9, integerBits: 3 } },
      saturates: false,
    });
  });

  it.each([
    { width: 1 },
    { width: "16; reboot" },
    { scoreIntegerBits: 1 },
    { overflow: "$(id)" },
    { clockNs: 0 },
    { unroll: "no" },
    { precision: "ap_fixed<16,6>" },
  ])("refuses the options %o", (options) => {
    expect(() => taskOf("models/iris-xgboost/model.json", { options })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID" }),
    );
  });

  it("is for CPU boards and boards of AMD's, and says what a bitstream needs there", () => {
    const path = "models/iris-xgboost/model.json";
    const zynq = { board: getBoardModel("zedboard"), boardKind: "simulated" } as const;
    expect(engine.plan(request(path, zynq)).forecast).toMatchObject({
      bitstreamNeeds: "Vitis HLS",
    });
    expect(taskOf(path, zynq).configuration.xilinx_part).toMatch(/^xc7z020/);
    for (const [board, kind] of [
      ["icebreaker", "simulated"],
      ["zedboard", "cpu"],
      ["cpu", "simulated"],
    ] as const)
      expect(engine.supports(getBoardModel(board), kind)).toMatchObject({ ok: false });
  });
});

import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { Graph } from "@/compiler";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { hls4mlEngine as engine } from ".";

const request = planRequest("iris-mlp", "cpu");
const planOf = (change: Partial<typeof request> = {}) => engine.plan({ ...request, ...change });
const taskOf = ({ files }: ReturnType<typeof planOf>) => JSON.parse(String(files.get("task.json")));

const withGraph = (change: Partial<Graph>) => {
  const { graph } = request.model;
  if (!graph) throw new Error("the sample has a graph");
  return { ...request.model, graph: { ...graph, ...change } };
};
const problemOf = (change: Partial<Graph>) => {
  const verdict = engine.accepts(withGraph(change));
  return verdict.ok ? null : verdict.problem;
};

describe("planning for hls4ml on a CPU board", () => {
  it("lets one tool make the program, from files that the plan holds", () => {
    const { files, steps, products, emulation, io, maxBatchSize, platform } = planOf();
    expect(steps).toHaveLength(1);
    const [step] = steps;
    const given = new Set([...files.keys(), emulation?.rows]);
    expect(step?.reads.filter((path) => !given.has(path))).toEqual([]);
    expect(step?.produces).toEqual(
      expect.arrayContaining([emulation?.program, emulation?.answers, emulation?.original]),
    );
    expect(step).toMatchObject({ command: "hls4ml", explains: "problem.json" });
    expect(products.map(({ role }) => role)).toEqual(["emulation", "project"]);
    expect(io.inputs).toMatchObject([{ name: "features", size: 4 }]);
    expect(maxBatchSize).toBe(64);
    expect(platform).toBe("boardwalk_hls4ml");
  });

  it("tells the script everything, and nothing besides", () => {
    expect(taskOf(planOf())).toEqual({
      task: "task.json",
      problem: "problem.json",
      rows: "rows.json",
      answers: "answers.bin",
      original: "original.bin",
      program: "emulation",
      project: "project.zip",
      model: "model.onnx",
      format: "onnx",
      harness: "harness.cpp",
      inputs: [4],
      outputs: [3],
      target: {},
      options: {
        width: 16,
        integerBits: 6,
        reuseFactor: 1,
        strategy: "Latency",
        ioType: "io_parallel",
        granularity: "name",
        backend: "Vitis",
        layers: {},
      },
    });
  });

  it("names its artifact after model, options and the versions of hls4ml and g++", () => {
    const { digest } = planOf();
    expect(planOf().digest).toBe(digest);
    expect(planOf({ options: { width: 12 } }).digest).not.toBe(digest);
    expect(planOf({ options: { layers: { MatMul_0: { width: 8 } } } }).digest).not.toBe(digest);
    expect(planOf({ toolVersions: { hls4ml: "2" } }).digest).not.toBe(digest);
    expect(engine.tools("keras", getBoardModel("cpu"))).toEqual(["hls4ml", "g++"]);
  });

  it("keeps names of layers out of the script", () => {
    const { files } = planOf({ options: { layers: { MatMul_0: { width: 8 } } } });
    expect(files.get("convert.py")).toBe(planOf().files.get("convert.py"));
    expect(() => planOf({ options: { layers: { '"; evil()': { width: 8 } } } })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID" }),
    );
  });
});

describe("planning for hls4ml on a vendor's board", () => {
  it("writes the project for the part, and says what its bitstream needs", () => {
    const board = getBoardModel("basys3");
    const plan = planOf({ board, boardKind: "simulated" });
    expect(taskOf(plan).target).toEqual({ part: "xc7a35tcpg236-1", clock_period: 10 });
    expect(plan.forecast.bitstreamNeeds).toBe("Vitis HLS");
    expect(plan.products.map(({ role }) => role)).toEqual(["emulation", "project"]);
    expect(engine.vendorTools?.(board)).toEqual({ title: "Vitis HLS", commands: [] });
    expect(engine.vendorTools?.(getBoardModel("cpu"))).toBeNull();
  });

  it("is refused for boards of others", () => {
    expect(engine.supports(getBoardModel("de10-nano"), "simulated")).toMatchObject({ ok: false });
    expect(engine.supports(getBoardModel("cpu"), "simulated")).toMatchObject({ ok: false });
  });
});

describe("what the hls4ml engine takes", () => {
  it("is FP32 of a size that a compiler gets through", () => {
    const { graph } = request.model;
    const [node] = graph?.nodes ?? [];
    const [input] = graph?.inputs ?? [];
    if (!node || !input) throw new Error("the sample has an operator and an input");
    expect(problemOf({})).toBeNull();
    expect(problemOf({ nodes: Array(10_000).fill(node) })).toMatchObject({
      reason: "MODEL_TOO_LARGE",
      message: "The model has 10,000 operators; the hls4ml engine takes 1,000.",
    });
    const values = new Float64Array(100_001);
    const constants = new Map([
      ["w", { name: "w", datatype: "FP32" as const, shape: [100_001], values }],
    ]);
    expect(problemOf({ constants })).toMatchObject({ reason: "MODEL_TOO_LARGE" });
    expect(problemOf({ inputs: [{ ...input, datatype: "INT64" }] })).toMatchObject({
      reason: "MODEL_UNSUPPORTED",
    });
    expect(problemOf({ inputs: [{ ...input, shape: [-1, -1, 4] }] })).toMatchObject({
      reason: "MODEL_SHAPE_INVALID",
    });
    expect(engine.accepts({ ...request.model, format: "xgboost-json" })).toMatchObject({
      ok: false,
      problem: { reason: "FORMAT_HAS_NO_ENGINE" },
    });
  });

  it.each([
    [{ width: 1 }, "options.width"],
    [{ strategy: "distributed_arithmetic", reuseFactor: 2 }, "options.reuseFactor"],
    [{ strategy: "distributed_arithmetic", ioType: "io_stream" }, "options.ioType"],
    [{ layers: { a: { strategy: "distributed_arithmetic", reuseFactor: 2 } } }, "options.layers.a"],
    [{ layers: { a: { bits: 2 } } }, "options.layers.a"],
    [{ precision: "ap_fixed<16,6>" }, "options"],
  ])("refuses the options %j by name", (options, field) => {
    expect(() => planOf({ options })).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field: expect.stringContaining(field),
      }),
    );
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type BoardModel, getBoardModel } from "@/boards";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { loadSample } from "@/tests/support/compiler/samples";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { designCore, type Graph, lower, outlineOf, parseOnnx } from "..";
import { unroll } from "../architectures/unrolled/design-unrolled";
import { type Precision, precisions } from "../passes/precision";
import { targetOf } from "../target/part";
import { type FittingForecast, forecast } from ".";

const fitting = (request: Parameters<typeof forecast>[0]): FittingForecast => {
  const result = forecast(request);
  if (!result.fits) throw new Error(result.lack);
  return result;
};

const figuresOf = ({ cycles, lut, bramBlocks, dsp, lanes }: FittingForecast) => ({
  cycles: cycles.expected,
  lut: lut.expected,
  bramBlocks: bramBlocks.expected,
  dsp: dsp.expected,
  lanes,
});

const boards = ["icebreaker", "ice40-hx8k-evn", "ulx3s-85f"].map(getBoardModel);

describe("forecast of trees", { timeout: 60_000 }, () => {
  const forests: readonly (readonly [string, Graph])[] = [
    ["an ensemble of XGBoost", loadTreeSample("iris-xgboost/model.json").graph],
    ["a forest of scikit-learn", loadTreeSample("wine-sklearn-forest/model.onnx").graph],
    ["50 trees of depth 3", randomTrees({ seed: 5, trees: 50, depth: 3 })],
  ];
  it.each(forests)("is what the compiler estimates for %s", (_, graph) => {
    const { integerGraph } = lower({ graph, inputRange: null, calibration: null });
    const board = getBoardModel("ulx3s-85f");
    const design = designCore({
      graph: integerGraph,
      board: targetOf(board),
      others: [],
      architecture: "auto",
      lanes: null,
    });
    const result = fitting({ outline: outlineOf(graph), board });
    expect(figuresOf(result)).toEqual({
      cycles: design.latencyCycles,
      lut: design.resources.lut,
      bramBlocks: design.resources.bramBlocks,
      dsp: 0,
      lanes: null,
    });
    expect(result.architecture).toBe("trees");
  });

  it("says what is missing of each resource", () => {
    const outline = outlineOf(randomTrees({ seed: 5, trees: 200, depth: 6 }));
    const result = forecast({ outline, board: getBoardModel("icebreaker") });
    expect(result).toMatchObject({ fits: false, lacking: [{ id: "lut", available: 3960 }] });
  });
});

describe("forecast of dense layers", { timeout: 60_000 }, () => {
  const read = (id: string) =>
    parseOnnx(new Uint8Array(readFileSync(`tests/fixtures/models/${id}/model.onnx`)));
  const board = getBoardModel("ulx3s-85f");
  const design = (graph: Graph, architecture: "array" | "unrolled") => {
    const { integerGraph } = lower({ graph, inputRange: null, calibration: null });
    const target = targetOf(board);
    return designCore({
      graph: integerGraph,
      board: target,
      others: [],
      architecture,
      lanes: null,
    });
  };

  it.each(["diabetes-mlp", "wine-sklearn-mlp"])(
    "is the compiler's schedule of %s, and nearly its cells",
    (id) => {
      const graph = read(id);
      const made = design(graph, "array");
      const result = fitting({ outline: outlineOf(graph), board, architecture: "array" });
      expect(result.cycles.expected).toBe(made.latencyCycles);
      expect(result.bramBlocks.expected).toBe(made.resources.bramBlocks);
      expect(result.dsp.expected).toBe(made.resources.dsp);
      expect(Math.abs(result.lut.expected / made.resources.lut - 1)).toBeLessThan(0.05);
    },
  );

  const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
  it.each([
    { what: "tables of tanh", graph: read("diabetes-mlp") },
    {
      what: "a quantised net",
      graph: quantizedGraph({
        sizes: [8, 12, 4],
        input: signed(4),
        stops: [signed(3), null],
        between: ["Relu", null],
      }),
    },
    {
      what: "a quantised net with tanh",
      graph: quantizedGraph({
        sizes: [4, 5, 3],
        input: signed(5),
        stops: [signed(6), null],
        between: ["Tanh", null],
      }),
    },
  ])("holds what the compiler estimates of $what, unrolled, in its band", ({ graph }) => {
    const made = design(graph, "unrolled");
    const { lut, cycles, bramBlocks } = fitting({
      outline: outlineOf(graph),
      board,
      architecture: "unrolled",
    });
    expect(made.resources.lut).toBeGreaterThan(lut.low);
    expect(made.resources.lut).toBeLessThan(lut.high);
    expect(Math.abs(made.latencyCycles - cycles.expected)).toBeLessThanOrEqual(1);
    expect(bramBlocks.expected).toBe(made.resources.bramBlocks);
  });

  it("counts the cycles of unrolled samples at any bits: one off at most, and mostly none", () => {
    const errors = (["iris-mlp", "jets-small-mlp"] as const).flatMap((id) => {
      const { graph, card } = loadSample(id);
      const { inputRange = null } = card;
      const outline = outlineOf(graph, inputRange);
      return (["exact-ish", "balanced", "smallest", "fastest"] as const).map((named) => {
        const precision = precisions[named];
        const { integerGraph } = lower({ graph, inputRange, calibration: null, precision });
        const made = unroll(integerGraph, targetOf(board));
        const { cycles } = fitting({ outline, board, architecture: "unrolled", precision });
        return cycles.expected - made.latencyCycles;
      });
    });
    expect(Math.max(...errors.map(Math.abs))).toBeLessThanOrEqual(1);
    expect(errors.filter((error) => error === 0).length).toBeGreaterThan(errors.length / 2);
  });

  it("keeps little of a large net, read within a second and forecast at once", () => {
    const graph = denseGraph([784, 32, 10]);
    const outline = outlineOf(graph);
    const used = (run: () => void) => {
      const started = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    };
    expect(JSON.stringify(outline).length).toBeLessThan(1000);
    expect(used(() => outlineOf(graph))).toBeLessThan(1000);
    expect(used(() => forecast({ outline, board, architecture: "unrolled" }))).toBeLessThan(20);
  });

  it("says why the array cannot run a quantised model, where it is asked for", () => {
    const graph = quantizedGraph({ sizes: [4, 6, 3], input: signed(5), stops: [signed(3), null] });
    const ask = () => forecast({ outline: outlineOf(graph), board, architecture: "array" });
    expect(ask).toThrow(expect.objectContaining({ reason: "OPTION_INVALID" }));
  });
});

describe("forecast of feature maps", { timeout: 60_000 }, () => {
  const design = (graph: Graph, board: BoardModel, precision: Precision, lanes: number | null) => {
    const { integerGraph } = lower({ graph, inputRange: null, calibration: null, precision });
    const target = targetOf(board);
    return designCore({
      graph: integerGraph,
      board: target,
      others: [],
      architecture: "auto",
      lanes,
    });
  };

  it.each(
    boards.flatMap((board) =>
      [
        { precision: precisions["exact-ish"], lanes: null },
        { precision: precisions.smallest, lanes: 4 },
      ].flatMap((options) =>
        [
          { what: "images", blocks: 1, graph: () => imageNet([4, 8]) },
          {
            what: "attention",
            // How wide its tables are is known after calibration.
            blocks: 2,
            graph: () => attentionNet({ tokens: 9, width: 8, heads: 2 }),
          },
        ].map((net) => ({
          board,
          ...options,
          ...net,
          name: board.id,
          bits: options.precision.weightBits,
        })),
      ),
    ),
  )(
    "is nearly what the compiler estimates of $what on $name at $bits bits",
    ({ board, precision, lanes, blocks, graph: make }) => {
      const graph = make();
      const made = design(graph, board, precision, lanes);
      const result = fitting({ outline: outlineOf(graph), board, precision, lanes });
      expect(figuresOf(result)).toMatchObject({
        cycles: made.latencyCycles,
        lanes: made.lanes,
        dsp: made.resources.dsp,
      });
      expect(Math.abs(result.lut.expected / made.resources.lut - 1)).toBeLessThan(0.03);
      expect(Math.abs(result.bramBlocks.expected - made.resources.bramBlocks)).toBeLessThanOrEqual(
        blocks,
      );
    },
  );

  it("takes a tenth of a second of one core at most for a large net", () => {
    const outline = outlineOf(imageNet([16, 64]));
    const started = process.cpuUsage();
    for (const board of boards) forecast({ outline, board });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000 / boards.length).toBeLessThan(100);
  });
});

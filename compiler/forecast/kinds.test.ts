import { describe, expect, it } from "vitest";
import { type BoardModel, getBoardModel } from "@/boards";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { designMaps, designTrees, type Graph, lowerMaps, lowerTrees, outlineOf } from "..";
import { type Precision, precisions } from "../precision";
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

describe("forecast of trees", () => {
  const forests: readonly (readonly [string, Graph])[] = [
    ["an ensemble of XGBoost", loadTreeSample("iris-xgboost/model.json").graph],
    ["a forest of scikit-learn", loadTreeSample("wine-sklearn-forest/model.onnx").graph],
    ["50 trees of depth 3", randomTrees({ seed: 5, trees: 50, depth: 3 })],
  ];
  it.each(forests)("is what the compiler estimates for %s", (_, graph) => {
    const { integerGraph } = lowerTrees(graph);
    const board = getBoardModel("ulx3s-85f");
    const { resources: part } = board.part;
    const design = designTrees({ graph: integerGraph, part, boardName: "", others: [] });
    const result = fitting({ outline: outlineOf(graph), board });
    expect(figuresOf(result)).toEqual({
      cycles: design.latencyCycles,
      lut: design.estimate.lut,
      bramBlocks: design.estimate.bramBlocks,
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

describe("forecast of feature maps", () => {
  const design = (graph: Graph, board: BoardModel, precision: Precision, lanes: number | null) => {
    const { integerGraph } = lowerMaps({ graph, inputRange: null, calibration: null, precision });
    const target = { name: "", part: board.part.resources };
    return designMaps({ graph: integerGraph, board: target, others: [], lanes });
  };

  it.each(
    boards.flatMap((board) =>
      [
        { precision: precisions["exact-ish"], lanes: null },
        { precision: precisions.smallest, lanes: 4 },
      ].map((options) => ({
        board,
        ...options,
        name: board.id,
        bits: options.precision.weightBits,
      })),
    ),
  )(
    "is nearly what the compiler estimates on $name at $bits bits",
    ({ board, precision, lanes }) => {
      const graph = imageNet([4, 8]);
      const made = design(graph, board, precision, lanes);
      const result = fitting({ outline: outlineOf(graph), board, precision, lanes });
      expect(figuresOf(result)).toMatchObject({
        cycles: made.latencyCycles,
        lanes: made.lanes,
        dsp: made.estimate.dsp,
      });
      expect(Math.abs(result.lut.expected / made.estimate.lut - 1)).toBeLessThan(0.03);
      expect(Math.abs(result.bramBlocks.expected - made.estimate.bramBlocks)).toBeLessThanOrEqual(
        1,
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

import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { designCore } from "../../design";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerTrees } from "../../lower/trees";
import { nextFloat32 } from "../../passes/trees/rank-features";
import { targetOf } from "../../target/part";
import { buildAdders, delayedTo } from "./adders";

const target = (board: string, name = "") => ({ ...targetOf(getBoardModel(board)), name });
const design = (trees: number, board = "icebreaker") =>
  designCore({
    architecture: "auto",
    lanes: null,
    graph: lowerTrees(randomTrees({ seed: 1, trees, depth: 4 })).integerGraph,
    board: target(board, "iCEBreaker"),
    others: [target("icestick", "a small board"), target("ulx3s-85f", "a large board")],
  });

describe("designing trees", () => {
  it("gives equal graphs equal text", () => {
    expect(design(20).verilog).toBe(design(20).verilog);
    expect(design(20).verilog).not.toBe(design(21).verilog);
  });

  it("says by how much a model is too large, and what would fit", () => {
    let problem: { message?: string; details?: { nearest?: number } } = {};
    try {
      design(200);
    } catch (error) {
      problem = error as typeof problem;
    }
    expect(problem).toMatchObject({
      reason: "MODEL_TOO_LARGE",
      message: expect.stringMatching(/needs about \d+ logic cells of 3960 usable on iCEBreaker/),
      hint: expect.stringMatching(/The first \d+ of 200 trees would fit; a large board is large/),
    });
    const nearest = problem.details?.nearest ?? 0;
    expect(nearest).toBeGreaterThan(20);
    expect(() => design(nearest)).not.toThrow();
    expect(() => design(nearest + 8)).toThrow(/logic cells/);
  });

  it("makes each comparison once, however many trees share it", () => {
    const request = { seed: 4, trees: 60, depth: 3, features: 2, cuts: 5 };
    const { integerGraph } = lowerTrees(randomTrees(request));
    const { verilog } = designCore({
      architecture: "auto",
      lanes: null,
      graph: integerGraph,
      board: target("icebreaker"),
      others: [],
    });
    expect(verilog.match(/^ {2}reg below_/gm)).toHaveLength(10);
  });

  it("sums in as many levels as operands need, the bias among them", () => {
    const operands = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ text: `v${index}`, min: 0, max: 255 }));
    const levels = (count: number, bias: number) => buildAdders(operands(count), bias, "s").levels;
    expect(levels(50, 7)).toHaveLength(6);
    expect(levels(64, 0)).toHaveLength(6);
    expect(levels(64, 7)).toHaveLength(7);
    expect(levels(1, 0)).toHaveLength(1);
    expect(levels(0, -3)).toHaveLength(1);
    expect(buildAdders(operands(3), -1000, "s").result).toMatchObject({ min: -1000, max: -235 });
    const late = delayedTo(buildAdders(operands(2), 0, "s"), 4, "s");
    expect(late.levels).toHaveLength(4);
    expect(late.result).toMatchObject({ min: 0, max: 510 });
  });
});

describe("the float32 above", () => {
  it.each([
    [1, 1 + 2 ** -23],
    [-1, -1 + 2 ** -24],
    [0, 2 ** -149],
    [-0, 2 ** -149],
    [-(2 ** -149), 0],
    [2 ** -149, 2 ** -148],
    [3.4028234663852886e38, Number.POSITIVE_INFINITY],
  ])("%d is %d", (value, above) => {
    expect(nextFloat32(value)).toBe(above === 0 ? -0 : above);
  });
});

describe("the software model", () => {
  it("asserts that sums stay within their width", () => {
    const { integerGraph } = lowerTrees(randomTrees({ seed: 1, trees: 4, depth: 2 }));
    const [trees, sum] = integerGraph.nodes;
    if (trees?.op !== "trees" || sum?.op !== "sum") throw new Error("no trees");
    const narrow = { ...integerGraph, nodes: [trees, { ...sum, width: 4 }] };
    const row = new Int8Array(integerGraph.input.size);
    expect(() => runIntegerGraph(narrow, row)).toThrow(/does not fit 4 bits/);
    expect(() => runIntegerGraph(integerGraph, row.slice(1))).toThrow(/values/);
  });
});

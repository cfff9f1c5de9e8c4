import { describe, expect, it } from "vitest";
import { countClipped } from "./count-clipped";
import type { DenseNode, IntegerGraph, RequantizeNode } from "./integer-graph";
import { runIntegerGraph } from "./run-integer-graph";

/** Three outputs: the input, its negative, and the input 16 times, each halved and put into so many bits. */
function graphOf(change: Pick<RequantizeNode, "width" | "signed" | "relu">): IntegerGraph {
  const dense: DenseNode = {
    op: "dense",
    name: "dense",
    from: -1,
    inputSize: 1,
    outputSize: 3,
    weightWidth: 6,
    weights: [1, -1, 16],
    bias: [0, 0, 0],
    accumulatorWidth: 20,
  };
  const requantize: RequantizeNode = {
    op: "requantize",
    name: "dense/requantize",
    from: 0,
    size: 3,
    shift: [1, 1, 1],
    fraction: 0,
    ...change,
  };
  const edge = { name: "x", size: 1, width: 8, fraction: 0 };
  return { schemaVersion: 2, input: edge, nodes: [dense, requantize], output: edge };
}

const clippedOf = (graph: IntegerGraph, x: number) =>
  countClipped(graph, runIntegerGraph(graph, [x]));

describe("countClipped", () => {
  it.each([
    // 100 / 2 fits 7 bits and a sign, 1600 / 2 does not; -128 / 2 times 16 is below the least.
    { x: 100, clipped: 1 },
    { x: -128, clipped: 1 },
    { x: 3, clipped: 0 },
    // 15 · 16 / 2 = 120 fits, 16 · 16 / 2 = 128 is the first that does not.
    { x: 15, clipped: 0 },
    { x: 16, clipped: 1 },
  ])("counts $clipped of 3 values for $x", ({ x, clipped }) => {
    expect(clippedOf(graphOf({ width: 8, signed: true, relu: false }), x)).toEqual([
      { node: "dense/requantize", clipped, values: 3 },
    ]);
  });

  it("shifts each channel of a map alike, however many pixels it has", () => {
    const graph = graphOf({ width: 8, signed: true, relu: false });
    const [dense, requantize] = graph.nodes as [DenseNode, RequantizeNode];
    const nodes = [dense, { ...requantize, shift: [1] }];
    expect(clippedOf({ ...graph, nodes }, 15)[0]?.clipped).toBe(0);
    expect(clippedOf({ ...graph, nodes }, 16)[0]?.clipped).toBe(1);
  });

  it("takes the zero of a ReLU for what it is", () => {
    const graph = graphOf({ width: 8, signed: false, relu: true });
    expect(clippedOf(graph, -100)[0]?.clipped).toBe(0);
    expect(clippedOf(graph, 100)[0]?.clipped).toBe(1);
  });
});

import { describe, expect, it } from "vitest";
import type { Graph } from "@/engines";
import { mostGraphLayers } from "@/lib/common/contract";
import { weightRangesOf } from "./weight-ranges";

type Constant = { readonly shape: number[]; readonly values: number[]; readonly datatype?: string };

function graphOf(
  nodes: readonly (readonly string[])[],
  constants: Record<string, Constant>,
): Graph {
  return {
    inputs: [{ name: "x", datatype: "FP32", shape: [-1, 4] }],
    outputs: [],
    nodes: nodes.map((inputs, n) => ({
      name: `n${n}`,
      operator: "Gemm",
      domain: "",
      inputs,
      outputs: [`n${n}:0`],
      attributes: {},
    })),
    constants: new Map(
      Object.entries(constants).map(([name, { shape, values, datatype = "FP32" }]) => [
        name,
        { name, datatype, shape, values: Float64Array.from(values) },
      ]),
    ),
    shapes: new Map(),
    opset: 17,
  };
}

describe("the ranges of weights", () => {
  it("are the five numbers of each tensor, of which none is left out", () => {
    const graph = graphOf([["x", "w", "b"]], {
      w: { shape: [5, 1], values: [4, -2, 0, 1, 3] },
      b: { shape: [2], values: [100, 200] },
    });
    expect(weightRangesOf(graph)).toEqual([
      { layer: 0, tensor: "w", shape: [5, 1], min: -2, q1: 0, median: 1, q3: 3, max: 4 },
    ]);
  });

  it.each<[string, Constant]>([
    ["a list, such as a bias", { shape: [3], values: [1, 2, 3] }],
    ["a shape", { shape: [2, 2], values: [1, 2, 3, 4], datatype: "INT64" }],
    ["one number", { shape: [1, 1], values: [1] }],
    ["numbers that are none", { shape: [1, 3], values: [1, Number.NaN, 2] }],
    ["numbers without end", { shape: [1, 2], values: [1, Number.POSITIVE_INFINITY] }],
  ])("are not told of %s", (_, constant) => {
    expect(weightRangesOf(graphOf([["x", "w"]], { w: constant }))).toEqual([]);
  });

  it("are told once of what two layers read", () => {
    const w = { shape: [1, 2], values: [1, 2] };
    const found = weightRangesOf(graphOf([["x"], ["n0:0", "w"], ["n1:0", "w"]], { w }));
    expect(found.map(({ layer }) => layer)).toEqual([1]);
  });

  it("of a large tensor have its true extremes, and quartiles of a sample that is near", () => {
    // Columns differ in size: a sample that met some of them more often would be far off.
    const [rows, columns] = [2048, 256];
    const values = Array.from({ length: rows * columns }, (_, n) => (n % columns) / columns);
    values[777] = -9;
    values[778] = 9;
    const [found] = weightRangesOf(
      graphOf([["x", "w"]], { w: { shape: [rows, columns], values } }),
    );
    expect(found).toMatchObject({ min: -9, max: 9, sampled: 8192 });
    for (const [told, wanted] of [
      [found?.q1, 0.25],
      [found?.median, 0.5],
      [found?.q3, 0.75],
    ] as const)
      expect(Math.abs((told ?? 9) - wanted)).toBeLessThan(0.01);
  });

  it("stop where the picture of layers does", () => {
    const nodes = Array.from({ length: mostGraphLayers + 1 }, (_, n) => [`w${n}`]);
    const constants = Object.fromEntries(
      nodes.map(([name = ""]) => [name, { shape: [1, 2], values: [1, 2] }]),
    );
    expect(weightRangesOf(graphOf(nodes, constants))).toHaveLength(mostGraphLayers);
  });
});

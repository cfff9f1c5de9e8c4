import { describe, expect, it } from "vitest";
import type { Graph } from "@/engines";
import { mostGraphLayers } from "@/lib/common/contract";
import { layerGraphOf } from "./layer-graph";

const node = (name: string, inputs: string[], operator = "Relu"): Graph["nodes"][number] => ({
  name,
  operator,
  domain: "",
  inputs,
  outputs: [`${name}:0`],
  attributes: {},
});

const graphOf = (
  nodes: Graph["nodes"],
  constants: Record<string, readonly [string, number[]]> = {},
): Graph => ({
  inputs: [
    { name: "a", datatype: "FP32", shape: [-1, 4] },
    { name: "b", datatype: "FP32", shape: [-1, 4] },
  ],
  outputs: [{ name: `${nodes.at(-1)?.name}:0`, datatype: "FP32", shape: [-1, 4] }],
  nodes,
  constants: new Map(
    Object.entries(constants).map(([name, [datatype, values]]) => [
      name,
      { name, datatype, shape: [values.length], values: Float64Array.from(values) },
    ]),
  ),
  shapes: new Map(),
  opset: 17,
});

describe("the graph of layers", () => {
  it("says of each layer which layers or inputs it reads, each once", () => {
    const { layers, outputs, omitted } = layerGraphOf(
      graphOf([
        node("first", ["a"]),
        node("second", ["first:0", "b", "first:0"]),
        node("third", ["second:0"]),
      ]),
    );
    expect(layers.map(({ from }) => from)).toEqual([[-1], [0, -2], [1]]);
    expect({ outputs, omitted }).toEqual({ outputs: [2], omitted: 0 });
  });

  it.each<[string, string, Record<string, readonly [string, number[]]>, object]>([
    ["MatMul", "w", { w: ["FP32", [1, 2]] }, { datatype: "FP32", bits: 32 }],
    ["MatMul", "w", { w: ["INT8", [1, 2]] }, { datatype: "INT8", bits: 8 }],
    ["QuantizeLinear", "s,z", { s: ["FP32", [1]], z: ["INT8", [0]] }, { bits: 8 }],
    ["Quant", "s,z,n", { s: ["FP32", [1]], z: ["FP32", [0]], n: ["FP32", [5]] }, { bits: 5 }],
    ["Relu", "", {}, {}],
  ])("of %s with %s tells the width of its numbers", (operator, inputs, constants, expected) => {
    const names = ["a", ...inputs.split(",").filter(Boolean)];
    const [layer] = layerGraphOf(graphOf([node("n", names, operator)], constants)).layers;
    expect(layer).toMatchObject(expected);
    if (operator === "Relu") expect(layer).toEqual({ from: [-1] });
  });

  it("stops where a picture would, and says how many layers are left", () => {
    const nodes = Array.from({ length: mostGraphLayers + 7 }, (_, n) =>
      node(`n${n}`, [n === 0 ? "a" : `n${n - 1}:0`]),
    );
    const { layers, outputs, omitted } = layerGraphOf(graphOf(nodes));
    expect([layers.length, omitted, outputs]).toEqual([mostGraphLayers, 7, [null]]);
  });
});

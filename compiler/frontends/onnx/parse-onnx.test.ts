import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseOnnx } from "./index";

const sample = (id: string) => readFileSync(`public/samples/${id}/model.onnx`);

describe("the ONNX front end", () => {
  it.each([
    ["iris-mlp", [4, 16, 8, 3], 243],
    ["digits-mlp", [64, 32, 32, 10], 3466],
    ["jets-small-mlp", [16, 16, 8, 8, 5], 525],
  ])("reads the sample %s with its layers and weights", (id, widths, parameters) => {
    const graph = parseOnnx(sample(id));
    const weights = graph.nodes
      .filter(({ operator }) => operator === "MatMul")
      .map((node) => graph.constants.get(node.inputs[1] ?? ""));
    expect(weights.map((weight) => weight?.shape)).toEqual(
      widths.slice(1).map((width, index) => [widths[index], width]),
    );
    const numbers = [...graph.constants.values()].reduce(
      (sum, { values }) => sum + values.length,
      0,
    );
    expect(numbers).toBe(parameters);
    expect(graph.inputs[0]?.shape).toEqual([-1, widths[0]]);
    expect(graph.outputs[0]?.shape).toEqual([-1, widths.at(-1)]);
    expect(graph.shapes.get(graph.nodes.at(-1)?.outputs[0] ?? "")).toEqual([-1, widths.at(-1)]);
  });

  it("gives the same graph after a trip through a thread", () => {
    const graph = parseOnnx(sample("iris-mlp"));
    expect(structuredClone(graph)).toEqual(graph);
  });

  it("tells where a file that is cut off ends, at any length", () => {
    const whole = sample("iris-mlp");
    for (let length = 64; length < whole.length - 32; length += 97) {
      expect(() => parseOnnx(whole.subarray(0, length))).toThrow(
        expect.objectContaining({
          reason: "MODEL_TRUNCATED",
          message: expect.stringContaining(`byte ${length}`),
        }),
      );
    }
  });
});

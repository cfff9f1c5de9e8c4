import { readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { parseOnnx } from "../frontends";
import type { Graph, GraphNode } from "../graph/graph";
import type { RealTensor } from "../graph/real-tensor";
import { runGraph } from "./run-graph";

interface Reference {
  readonly inputs: Record<string, { shape: number[]; data: number[] }>;
  readonly outputs: Record<string, { shape: number[]; data: number[] }>;
}

const tensor = (shape: number[], values: number[]): RealTensor => ({
  shape,
  values: Float64Array.from(values),
});

/** A graph of one node that reads `a`, `b`, `c` and makes `y`. */
function graphOf(operator: string, attributes: GraphNode["attributes"], opset = 17): Graph {
  const node = { name: "n", operator, domain: "", inputs: ["a", "b", "c"], outputs: ["y"] };
  const outputs = [{ name: "y", datatype: "FP32" as const, shape: [-1] }];
  const empty = { inputs: [], outputs, constants: new Map(), shapes: new Map(), opset };
  return { ...empty, nodes: [{ ...node, attributes }] };
}

describe("the float interpreter", () => {
  it.each(["iris-mlp", "digits-mlp", "jets-small-mlp"])("answers %s as onnxruntime did", (id) => {
    const graph = parseOnnx(readFileSync(`public/samples/${id}/model.onnx`));
    const reference: Reference = JSON.parse(
      readFileSync(`public/samples/${id}/reference.json`, "utf8"),
    );
    const inputs = Object.entries(reference.inputs).map(
      ([name, { shape, data }]) => [name, { shape, values: Float32Array.from(data) }] as const,
    );
    const answers = runGraph(graph, new Map(inputs));
    for (const [name, { shape, data }] of Object.entries(reference.outputs)) {
      const expected = Float32Array.from(data);
      const largest = Math.max(...expected.map(Math.abs));
      const answer = answers.get(name);
      expect(answer?.shape).toEqual(shape);
      for (const [index, value] of expected.entries()) {
        expect(Math.abs((answer?.values[index] ?? NaN) - value)).toBeLessThan(1e-5 * largest);
      }
    }
  });

  it("multiplies, transposes, scales and adds as Gemm says", () => {
    const graph = graphOf("Gemm", { transA: 1, transB: 1, alpha: 2, beta: 0.5 });
    const inputs = new Map([
      ["a", tensor([2, 1], [1, 2])],
      ["b", tensor([3, 2], [1, 2, 3, 4, 5, 6])],
      ["c", tensor([3], [10, 20, 30])],
    ]);
    expect(runGraph(graph, inputs).get("y")).toEqual(tensor([1, 3], [15, 32, 49]));
  });

  it("repeats dimensions of 1 on both sides", () => {
    const inputs = new Map([
      ["a", tensor([2, 1], [10, 20])],
      ["b", tensor([1, 3], [1, 2, 3])],
    ]);
    expect(runGraph(graphOf("Sub", {}), inputs).get("y")).toEqual(
      tensor([2, 3], [9, 8, 7, 19, 18, 17]),
    );
  });

  it("normalises over the axis alone from opset 13 on, over all that follows before", () => {
    const inputs = new Map([["a", tensor([1, 2, 2], [0, 0, 0, 0])]]);
    expect(runGraph(graphOf("Softmax", { axis: 1 }, 13), inputs).get("y")?.values[0]).toBe(0.5);
    expect(runGraph(graphOf("Softmax", { axis: 1 }, 12), inputs).get("y")?.values[0]).toBe(0.25);
  });

  it.each([
    [{ axis: 1, keepdims: 0 }, tensor([2], [1, 0])],
    [{ axis: -1, select_last_index: 1 }, tensor([2, 1], [2, 0])],
  ])("finds the largest with %o", (attributes, expected) => {
    const inputs = new Map([["a", tensor([2, 3], [1, 5, 5, 7, 2, 0])]]);
    expect(runGraph(graphOf("ArgMax", attributes), inputs).get("y")).toEqual(expected);
  });

  it("refuses an operator it does not know, by name", () => {
    const inputs = new Map([["a", tensor([1], [1])]]);
    expect(() => runGraph(graphOf("Loop", {}), inputs)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("Loop"),
      }),
    );
  });

  it("refuses operands that do not fit", () => {
    const inputs = new Map([
      ["a", tensor([1, 4], [1, 2, 3, 4])],
      ["b", tensor([3, 1], [1, 2, 3])],
    ]);
    expect(() => runGraph(graphOf("MatMul", {}), inputs)).toThrow(
      expect.objectContaining({ reason: "MODEL_SHAPE_INVALID" }),
    );
  });

  it("answers rows it never saw as onnxruntime does now", async () => {
    const bytes = readFileSync("public/samples/jets-small-mlp/model.onnx");
    const values = Float32Array.from({ length: 64 * 16 }, (_, index) => Math.sin(index) * 3);
    const session = await InferenceSession.create(bytes);
    const { probabilities } = await session.run({ features: new Tensor(values, [64, 16]) });
    const ours = runGraph(parseOnnx(bytes), new Map([["features", { shape: [64, 16], values }]]));
    const theirs = probabilities?.data as Float32Array;
    expect(theirs.length).toBe(64 * 5);
    for (const [index, value] of theirs.entries()) {
      expect(ours.get("probabilities")?.values[index]).toBeCloseTo(value, 5);
    }
  });
});

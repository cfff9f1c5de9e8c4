import { readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { chain, gemm, type Op } from "@/tests/support/compiler/chain-graph";
import { exportOnnx } from "../export-onnx";
import { parseOnnx } from "../frontends/onnx";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { lowerDense } from "../lower/dense";
import { runDenseNetwork } from "../model/dense-network";
import { runGraph } from "../operators/run-graph";
import { denseNetwork } from "../reader";
import { quantizeRow } from "./quantize-network";

const folder = "tests/fixtures/models/wine-sklearn-mlp";
const wine = parseOnnx(readFileSync(`${folder}/model.onnx`));
const reference: Record<"inputs" | "outputs", Record<string, { data: number[] }>> = JSON.parse(
  readFileSync(`${folder}/reference.json`, "utf8"),
);
const features = reference.inputs["features"]?.data ?? [];
const rows = Array.from({ length: features.length / 13 }, (_, row) =>
  features.slice(row * 13, (row + 1) * 13),
);
const bestOf = (values: ArrayLike<number>) =>
  Array.from(values).indexOf(Math.max(...Array.from(values)));

describe("a scikit-learn classifier with a scaler, labels and probabilities", () => {
  it("is interpreted as ONNX Runtime answered, both outputs", () => {
    const input = { shape: [rows.length, 13], values: Float32Array.from(features) };
    const answers = runGraph(wine, new Map([["features", input]]));
    expect(Array.from(answers.get("label")?.values ?? [])).toEqual(
      reference.outputs["label"]?.data,
    );
    for (const [index, value] of (reference.outputs["probabilities"]?.data ?? []).entries()) {
      expect(answers.get("probabilities")?.values[index]).toBeCloseTo(value, 5);
    }
  });

  it("leaves both outputs to the host, which makes them of the same scores", () => {
    expect(denseNetwork(wine).outputs).toMatchObject([
      { spec: { name: "label", datatype: "INT64" }, activation: "argmax", classes: [0, 1, 2] },
      { spec: { name: "probabilities", datatype: "FP32" }, activation: "softmax" },
    ]);
  });

  it("is standardised by the model's own scaler where nobody says better, and keeps its labels", () => {
    const { standardisation, integerGraph } = lowerDense({
      graph: wine,
      inputRange: null,
      calibration: null,
    });
    expect(standardisation.rangeSource).toBe("the model's own scaling");
    expect(standardisation.mean[12]).toBeCloseTo(753.93, 1);
    const { mean, deviation } = standardisation;
    const labels = rows.map((row) => {
      const scaled = row.map((x, index) => (x - (mean[index] ?? 0)) / (deviation[index] ?? 1));
      const { width, fraction } = integerGraph.input;
      return bestOf(
        runIntegerGraph(integerGraph, quantizeRow(scaled, { width, fraction, signed: true }))
          .output,
      );
    });
    const same = labels.filter((label, row) => label === reference.outputs["label"]?.data[row]);
    expect(same.length).toBeGreaterThanOrEqual(rows.length - 1);
  });
});

const classes = ["classes", "v3"];
const label: readonly Op[] = [
  { operator: "Softmax" },
  { operator: "ArgMax", attributes: { axis: 1 } },
  { operator: "ArrayFeatureExtractor", domain: "ai.onnx.ml", inputs: classes },
];
const asLabel = { outputs: [{ name: "v4", datatype: "INT64" as const, shape: [-1] }] };
const withClasses = (values: readonly number[], datatype = "INT64") => {
  const graph = chain([gemm, ...label], asLabel);
  const constant = {
    name: "classes",
    datatype,
    shape: [values.length],
    values: Float64Array.from(values),
  };
  return { ...graph, constants: new Map([...graph.constants, ["classes", constant] as const]) };
};

describe("what stands around the layers of scikit-learn's models", () => {
  it("names classes by any integers", () => {
    expect(denseNetwork(withClasses([7, -3])).outputs).toMatchObject([{ classes: [7, -3] }]);
  });

  it.each([
    { why: "no classes", graph: withClasses([]) },
    { why: "classes of fractions", graph: withClasses([0.5, 1]) },
    {
      why: "classes of text",
      graph: chain([gemm, ...label], asLabel),
    },
  ])("refuses $why by name", ({ graph }) => {
    expect(() => denseNetwork(graph)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("ArrayFeatureExtractor"),
      }),
    );
  });

  it.each([
    { why: "as many numbers as features", offset: [1, -2, 3], scale: [2, 0.5, -1] },
    { why: "one for all", offset: [4], scale: [0.25] },
    { why: "a feature that counts for nothing", offset: [0, 0, 0], scale: [1, 0, 1] },
  ])("reads a scaler of $why as ONNX Runtime does", async ({ offset, scale }) => {
    const scaler = { operator: "Scaler", domain: "ai.onnx.ml", attributes: { offset, scale } };
    const graph = chain([scaler, gemm]);
    const row = [0.5, -1.25, 8];
    const session = await InferenceSession.create(exportOnnx(graph), { logSeverityLevel: 3 });
    const judged = await session.run({ v0: new Tensor("float32", Float32Array.from(row), [1, 3]) });
    const wanted = Array.from(judged["v2"]?.data as Float32Array);
    const ours = runGraph(
      graph,
      new Map([["v0", { shape: [1, 3], values: Float64Array.from(row) }]]),
    );
    const { layers, scaling } = denseNetwork(graph);
    for (const [index, value] of wanted.entries()) {
      expect(ours.get("v2")?.values[index]).toBeCloseTo(value, 5);
      expect(runDenseNetwork(layers, row).at(-1)?.[index]).toBeCloseTo(value, 5);
    }
    expect(scaling?.deviation.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
  });

  it.each([
    { why: "two numbers for three features", attributes: { offset: [1, 2], scale: [1, 1, 1] } },
    { why: "NaN", attributes: { offset: [0], scale: [Number.NaN] } },
    { why: "nothing", attributes: { offset: [], scale: [] } },
  ])("refuses a scaler of $why by name", ({ attributes }) => {
    const scaler = { operator: "Scaler", domain: "ai.onnx.ml", attributes };
    expect(() => denseNetwork(chain([scaler, gemm]))).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("Scaler"),
      }),
    );
  });

  it("takes two classes with one score as the softmax of that and 0", () => {
    const one = { operator: "MatMul", inputs: ["x", "column"] };
    const graph = chain([
      gemm,
      one,
      { operator: "Sigmoid" },
      { operator: "Sub", inputs: ["one", "x"] },
      { operator: "Concat", inputs: ["x", "v3"], attributes: { axis: 1 } },
    ]);
    const constants = new Map([
      ...graph.constants,
      [
        "column",
        { name: "column", datatype: "FP32", shape: [2, 1], values: Float64Array.of(1, 2) },
      ],
      ["one", { name: "one", datatype: "FP32", shape: [], values: Float64Array.of(1) }],
    ] as const);
    const { layers, outputs } = denseNetwork({ ...graph, constants });
    expect(outputs).toMatchObject([{ activation: "softmax" }]);
    const [first, second] = runDenseNetwork(layers, [1, 2, 3]).at(-1) ?? [];
    expect(first).toBe(0);
    expect(second).toBe(
      runDenseNetwork(denseNetwork(chain([gemm])).layers, [1, 2, 3])
        .at(-1)
        ?.reduce((a, b) => a + 2 * b),
    );
  });
});

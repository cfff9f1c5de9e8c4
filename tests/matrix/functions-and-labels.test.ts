import { readFileSync } from "node:fs";
import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { exportOnnx, type Graph } from "@/compiler";
import { randomFrom } from "@/compiler/random";
import { getEndpoint } from "@/domain/endpoints";
import type { Tensor } from "@/lib/common/tensor";
import { mapGraph } from "@/tests/support/compiler/map-graph";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { quantizedMapGraph } from "@/tests/support/compiler/quantized-map-graph";
import { scope } from "@/tests/support/domain";
import { answerRows, winners } from "@/tests/workers/answer-rows";
import { wholeBuilds } from "@/tests/workers/whole-builds";

// Models with functions between layers, scalers, two outputs, and convolutions, from the file to an answer of a simulated board.

const builds = wholeBuilds();
const fixtures = "tests/fixtures/models";

const build = (
  id: string,
  model: string,
  clockHz: number,
  bytes: Uint8Array = readFileSync(`${fixtures}/${id}/model.onnx`),
) =>
  builds.build({
    key: id,
    files: { "model.onnx": bytes },
    name: `${id}-${model}`,
    engine: "boardwalk",
    board: { model, kind: "simulated" },
    options: { clockHz },
  });

const answer = async (artifactDigest: string, ...inputs: readonly Tensor[]) =>
  new Map(
    (await answerRows(builds.stack, artifactDigest, inputs)).map((output) => [output.name, output]),
  );

interface Tensors {
  readonly [name: string]: { readonly shape: number[]; readonly data: number[] };
}
const referenceOf = (id: string): { inputs: Tensors; outputs: Tensors } =>
  JSON.parse(readFileSync(`${fixtures}/${id}/reference.json`, "utf8"));
const inputOf = (id: string, name = "features"): Tensor => {
  const tensor = referenceOf(id).inputs[name];
  const data = Float32Array.from(tensor?.data ?? []);
  return { name, datatype: "FP32", shape: tensor?.shape ?? [], data };
};
const numbersOf = (tensor: Tensor | undefined) =>
  Array.from((tensor?.data ?? []) as ArrayLike<number | bigint>, Number);

/** A class of an image and three numbers, and a value that both tell. */
function twoInputsAndOutputs(): Graph {
  const net = mapGraph([-1, 1, 6, 6], 31);
  const one = net.relu(net.conv(net.input, [4, 1, 3, 3]));
  const pooled = net.add("MaxPool", [one], {
    attributes: { kernel_shape: [2, 2], strides: [2, 2] },
  });
  const seen = net.relu(net.dense(pooled, 16, 6));
  const told = net.relu(net.dense("numbers", 3, 4));
  const both = net.add("Concat", [seen, told], { attributes: { axis: 1 } });
  const last = net.relu(net.dense(both, 10, 8));
  const scores = net.dense(last, 8, 3);
  const chances = net.add("Softmax", [scores], { attributes: { axis: -1 } });
  const value = net.dense(last, 8, 1);
  const graph = net.finish(chances, [-1, 3]);
  return {
    ...graph,
    inputs: [...graph.inputs, { name: "numbers", datatype: "FP32", shape: [-1, 3] }],
    outputs: [...graph.outputs, { name: value, datatype: "FP32", shape: [-1, 1] }],
  };
}

describe("on simulated boards", { timeout: 900_000 }, () => {
  it("a layer of tanh answers near the float model", async () => {
    const built = await build("diabetes-mlp", "ulx3s-25f", 25_000_000);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0 } },
    });
    expect(built.report?.notes?.join(" ")).toContain("table");
    const answers = await answer(built.artifactDigest ?? "", inputOf("diabetes-mlp"));
    const wanted = referenceOf("diabetes-mlp").outputs["progression"]?.data ?? [];
    const got = numbersOf(answers.get("progression"));
    expect(got).toHaveLength(wanted.length);
    const errors = wanted.map((value, row) => Math.abs(value - (got[row] ?? Number.NaN)));
    const span = Math.max(...wanted) - Math.min(...wanted);
    expect(Math.max(...errors)).toBeLessThan(0.05 * span);
  });

  it("scikit-learn's classifier answers label and probabilities", async () => {
    const built = await build("wine-sklearn-mlp", "icebreaker", 12_000_000);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0 } },
    });
    const answers = await answer(built.artifactDigest ?? "", inputOf("wine-sklearn-mlp"));
    const [ofLabel, ofProbabilities] = built.report?.accuracy?.outputs ?? [];
    expect(ofLabel).toMatchObject({ output: "label", labelled: false });
    expect(ofLabel?.agreement).toBeGreaterThan(0.9);
    // The label is the place of the largest probability.
    expect(ofProbabilities).toMatchObject({
      output: "probabilities",
      agreement: ofLabel?.agreement,
    });
    const { label, probabilities } = referenceOf("wine-sklearn-mlp").outputs;
    expect(answers.get("label")).toMatchObject({ datatype: "INT64", shape: [32] });
    expect(answers.get("probabilities")).toMatchObject({ datatype: "FP32", shape: [32, 3] });
    const equal = numbersOf(answers.get("label")).filter((each, row) => each === label?.data[row]);
    expect(equal.length).toBeGreaterThanOrEqual(31);
    const got = numbersOf(answers.get("probabilities"));
    const errors = (probabilities?.data ?? []).map((value, at) => Math.abs(value - (got[at] ?? 2)));
    expect(Math.max(...errors)).toBeLessThan(0.06);
  });

  it("a convolutional net decides as the float model", async () => {
    const built = await build("digits-cnn", "icebreaker", 12_000_000);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0 } },
    });
    const answers = await answer(built.artifactDigest ?? "", inputOf("digits-cnn", "image"));
    const [got] = [...answers.values()];
    const [wanted] = Object.values(referenceOf("digits-cnn").outputs);
    expect(winners(numbersOf(got), 10)).toEqual(winners(wanted?.data ?? [], 10));
  });

  it("an image and numbers beside it answer a class and a value", async () => {
    const graph = twoInputsAndOutputs();
    const bytes = exportOnnx(graph);
    const built = await build("image-and-numbers", "icebreaker", 12_000_000, bytes);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0, source: "synthetic input" } },
    });
    const [chances, value] = built.report?.accuracy?.outputs ?? [];
    expect(chances).toMatchObject({ output: graph.outputs[0]?.name, labelled: false });
    expect(chances?.agreement).toBeGreaterThan(0.8);
    expect(value).toMatchObject({ output: graph.outputs[1]?.name, agreement: null });
    expect(value?.maxAbsError).toBeGreaterThan(value?.meanAbsError ?? 0);
    const endpoint = await getEndpoint(scope, "image-and-numbers-icebreaker");
    expect(endpoint.outputAccuracies).toEqual([chances, value]);
    const rows = 20;
    const random = randomFrom(5);
    const inputs = graph.inputs.map(({ name, shape }): Tensor => {
      const size = shape.slice(1).reduce((product, each) => product * each, rows);
      const data = Float32Array.from({ length: size }, () => 6 * random.uniform() - 3);
      return { name, datatype: "FP32", shape: [rows, ...shape.slice(1)], data };
    });
    const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
    const feeds = inputs.map(({ name, data, shape }) => [
      name,
      new OrtTensor("float32", data as Float32Array, [...shape]),
    ]);
    const wanted = await session.run(Object.fromEntries(feeds));
    const answers = await answer(built.artifactDigest ?? "", ...inputs);
    for (const { name, shape } of graph.outputs) {
      const [got, float] = [answers.get(name), wanted[name] as unknown as Tensor];
      expect(got).toMatchObject({ datatype: "FP32", shape: [rows, ...shape.slice(1)] });
      const reals = numbersOf(float);
      const most = Math.max(...reals.map(Math.abs));
      const errors = numbersOf(got).map((value, at) => Math.abs(value - (reals[at] ?? Number.NaN)));
      expect(Math.max(...errors)).toBeLessThan(0.15 * most);
    }
  });

  it("a quantised model answers ONNX Runtime's own bits", async () => {
    const graph = quantizedGraph({
      sizes: [4, 5, 3],
      input: { type: "UINT8", zero: 100, fraction: 4 },
      stops: [
        { type: "UINT8", zero: 37, fraction: 3 },
        { type: "INT8", zero: 0, fraction: 1 },
      ],
      between: ["Relu", null],
    });
    const bytes = exportOnnx(graph);
    const built = await build("quantised", "icebreaker", 12_000_000, bytes);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0, maxAbsError: 0 } },
    });
    const data = Float32Array.from({ length: 200 }, (_, at) => ((at * 29) % 97) / 8 - 6 + at / 64);
    const input: Tensor = { name: "x", datatype: "FP32", shape: [50, 4], data };
    const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
    const wanted = await session.run({ x: new OrtTensor("float32", data, [50, 4]) });
    const answers = await answer(built.artifactDigest ?? "", input);
    const name = graph.outputs[0]?.name ?? "";
    expect(numbersOf(answers.get(name))).toEqual(numbersOf(wanted[name] as unknown as Tensor));
  });

  it("a quantised model with a grid for each input answers ONNX Runtime's own bits", async () => {
    const net = quantizedMapGraph([-1, 1], { seed: 9 });
    const left = net.stop("a", { type: "UINT8", zero: 100, fraction: 3 });
    const right = net.stop("b", { type: "INT8", zero: 0, fraction: 5 });
    const both = net.add("Concat", [left, right], { axis: 1 });
    const sums = net.add("Relu", [net.conv(both, [6, 8], { fraction: 3 })]);
    const hidden = net.stop(sums, { type: "UINT8", zero: 0, fraction: 0 });
    const last = net.conv(hidden, [3, 6], { fraction: 0 });
    const scores = net.stop(last, { type: "INT8", zero: 0, fraction: -2 });
    const graph = net.finishWith({ a: [3], b: [5] }, { [scores]: [3] });
    const bytes = exportOnnx(graph);
    const built = await build("quantised-pair", "icebreaker", 12_000_000, bytes);
    expect(built).toMatchObject({
      problem: null,
      state: "succeeded",
      report: { proof: { mismatches: 0, maxAbsError: 0 } },
    });
    const random = randomFrom(6);
    const inputs = graph.inputs.map(({ name, shape: [, size = 1] }): Tensor => {
      const data = Float32Array.from({ length: 50 * size }, () => 8 * random.normal());
      return { name, datatype: "FP32", shape: [50, size], data };
    });
    const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
    const feeds = inputs.map(({ name, data, shape }) => [
      name,
      new OrtTensor("float32", data as Float32Array, [...shape]),
    ]);
    const wanted = await session.run(Object.fromEntries(feeds));
    const answers = await answer(built.artifactDigest ?? "", ...inputs);
    expect(numbersOf(answers.get(scores))).toEqual(numbersOf(wanted[scores] as unknown as Tensor));
  });
});

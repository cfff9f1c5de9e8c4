import { describe, expect, it } from "vitest";
import {
  chain,
  gemm,
  matMul,
  normalise2,
  normalise3,
  type Op,
} from "@/tests/support/compiler/chain-graph";
import { readOutputs } from "../flows";
import { runDenseNetwork } from "../model/dense-network";
import { runGraph } from "../operators/run-graph";
import { denseNetwork } from ".";

describe("dense layers", () => {
  it.each<{ why: string; ops: readonly Op[] }>([
    { why: "Gemm", ops: [gemm] },
    { why: "Gemm without bias", ops: [{ operator: "Gemm", inputs: ["x", "w"] }] },
    {
      why: "alpha, beta, transB",
      ops: [
        {
          operator: "Gemm",
          inputs: ["x", "wt", "b"],
          attributes: { alpha: 0.5, beta: -2, transB: 1 },
        },
      ],
    },
    { why: "a scalar bias", ops: [{ operator: "Gemm", inputs: ["x", "w", "c"] }] },
    { why: "MatMul and Add", ops: [matMul, { operator: "Add", inputs: ["x", "b"] }] },
    { why: "Add with the constant first", ops: [matMul, { operator: "Add", inputs: ["b", "x"] }] },
    { why: "Sub before", ops: [{ operator: "Sub", inputs: ["x", "f"] }, gemm] },
    { why: "a constant less the value", ops: [{ operator: "Sub", inputs: ["f", "x"] }, gemm] },
    {
      why: "Sub and Div before",
      ops: [{ operator: "Sub", inputs: ["x", "f"] }, { operator: "Div", inputs: ["x", "f"] }, gemm],
    },
    { why: "Mul after", ops: [gemm, { operator: "Mul", inputs: ["x", "c"] }] },
    {
      why: "Mul between Relu and the next layer",
      ops: [
        gemm,
        { operator: "Relu" },
        { operator: "Mul", inputs: ["x", "b"] },
        { operator: "MatMul", inputs: ["x", "s"] },
      ],
    },
    {
      why: "two layers without activation",
      ops: [gemm, { operator: "MatMul", inputs: ["x", "s"] }],
    },
    { why: "a batch normalisation first", ops: [normalise3, gemm] },
    { why: "one between layer and activation", ops: [gemm, normalise2, { operator: "Relu" }] },
    {
      why: "one behind an activation",
      ops: [gemm, { operator: "Relu" }, normalise2, { operator: "MatMul", inputs: ["x", "s"] }],
    },
    { why: "one as the last of all", ops: [gemm, { operator: "Relu" }, normalise2] },
    {
      why: "one between two activations",
      ops: [gemm, { operator: "Relu" }, normalise2, { operator: "Relu" }, normalise2],
    },
    {
      why: "no layer behind a scale",
      ops: [gemm, { operator: "Relu" }, { operator: "Mul", inputs: ["x", "c"] }],
    },
    {
      why: "nothing but names and shapes between",
      ops: [
        { operator: "Identity" },
        { operator: "Flatten" },
        { operator: "Reshape", inputs: ["x", "to23"] },
        { operator: "Reshape", inputs: ["x", "to0"] },
        { operator: "Cast", attributes: { to: 1 } },
        gemm,
        { operator: "Dropout" },
        { operator: "Relu" },
      ],
    },
  ])("equals the float graph: $why", ({ ops }) => {
    const graph = chain(ops);
    const { layers, outputs } = denseNetwork(graph);
    expect(outputs.map(({ activation }) => activation)).toEqual(["none"]);
    for (const row of [
      [0, 0, 0],
      [1, -2, 3],
      [-0.5, 0.25, 8],
    ]) {
      const wanted = runGraph(
        graph,
        new Map([["v0", { shape: [1, 3], values: Float64Array.from(row) }]]),
      ).get(`v${ops.length}`)?.values;
      const got = runDenseNetwork(layers, row).at(-1);
      for (const [index, value] of Array.from(wanted ?? []).entries()) {
        expect(got?.[index]).toBeCloseTo(value, 9);
      }
      expect(got).toHaveLength(wanted?.length ?? -1);
    }
  });

  it.each<{ ops: readonly Op[]; activation: string }>([
    { ops: [gemm, { operator: "Softmax" }], activation: "softmax" },
    { ops: [gemm, { operator: "Sigmoid" }], activation: "sigmoid" },
    { ops: [gemm, { operator: "ArgMax", attributes: { axis: 1 } }], activation: "argmax" },
    {
      ops: [
        gemm,
        { operator: "Softmax" },
        { operator: "ArgMax", attributes: { axis: -1, keepdims: 0 } },
        { operator: "Cast", attributes: { to: 6 } },
      ],
      activation: "argmax",
    },
  ])("leaves $activation to the host", ({ ops, activation }) => {
    expect(denseNetwork(chain(ops)).outputs).toMatchObject([{ activation }]);
  });

  it.each<{ why: string; ops: readonly Op[]; names: string }>([
    {
      why: "unknown here",
      ops: [gemm, { operator: "LSTM" }],
      names: 'LSTM (node "lstm_1")',
    },
    {
      why: "rows turned to columns",
      ops: [{ ...gemm, attributes: { transA: 1 } }],
      names: "Gemm",
    },
    {
      why: "softmax over the batch",
      ops: [gemm, { operator: "Softmax", attributes: { axis: 0 } }],
      names: "Softmax",
    },
    { why: "joined branches", ops: [gemm, { operator: "Add", inputs: ["x", "v0"] }], names: "Add" },
    {
      why: "rounding cast",
      ops: [{ operator: "Cast", attributes: { to: 6 } }, gemm],
      names: "Cast",
    },
    {
      why: "weights on the left",
      ops: [{ operator: "MatMul", inputs: ["w", "x"] }],
      names: "MatMul",
    },
    {
      why: "weights of another size",
      ops: [{ operator: "MatMul", inputs: ["x", "s"] }],
      names: "MatMul",
    },
    {
      why: "rows torn apart",
      ops: [{ operator: "Reshape", inputs: ["x", "to1"] }, gemm],
      names: "Reshape",
    },
    {
      why: "a normalisation of a model that still learns",
      ops: [{ ...normalise3, attributes: { training_mode: 1 } }, gemm],
      names: "BatchNormalization",
    },
  ])("refuses by name: $why", ({ ops, names }) => {
    expect(() => readOutputs(chain(ops))).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining(names),
        hint: expect.stringContaining("CPU"),
      }),
    );
  });

  it.each([
    { why: "an old operator set", change: { opset: 8 }, reason: "MODEL_VERSION_UNSUPPORTED" },
    { why: "a new operator set", change: { opset: 22 }, reason: "MODEL_VERSION_UNSUPPORTED" },
    {
      why: "free features",
      change: { inputs: [{ name: "v0", datatype: "FP32" as const, shape: [-1, -1] }] },
      reason: "MODEL_UNSUPPORTED",
    },
  ])("refuses $why", ({ change, reason }) => {
    expect(() => readOutputs(chain([gemm], change))).toThrow(expect.objectContaining({ reason }));
  });
});

import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { elementwiseOperators, evaluateElementwise } from "@/lib/common/elementwise";
import { chain, gemm, type Op } from "@/tests/support/compiler/chain-graph";
import { exportOnnx } from "../export-onnx";
import { readOutputs } from "../flows";
import type { Graph } from "../graph/graph";
import { type DenseNetwork, runDenseNetwork } from "../model/dense-network";
import { runGraph } from "../operators/run-graph";
import { denseNetwork } from "../reader";

const rows = [
  [0, 0, 0],
  [1, -2, 3],
  [-0.5, 0.25, 0.75],
  [2, 0.125, -1],
  [-4, 1, 0.5],
];
const next: Op = { operator: "MatMul", inputs: ["x", "s"] };

async function onnxRuntime(graph: Graph): Promise<number[]> {
  const session = await InferenceSession.create(exportOnnx(graph), { logSeverityLevel: 3 });
  const answer = await session.run({
    v0: new Tensor("float32", Float32Array.from(rows.flat()), [rows.length, 3]),
  });
  return Array.from(answer[graph.outputs[0]?.name ?? ""]?.data as Float32Array);
}

const interpreted = (graph: Graph): number[] => [
  ...(runGraph(
    graph,
    new Map([["v0", { shape: [rows.length, 3], values: Float64Array.from(rows.flat()) }]]),
  ).get(graph.outputs[0]?.name ?? "")?.values ?? []),
];

const answered = ({ layers, outputs }: DenseNetwork): number[] =>
  rows.flatMap((row) =>
    Array.from(runDenseNetwork(layers, row).at(-1) ?? [], (score) =>
      evaluateElementwise(outputs[0].elementwise ?? [], score),
    ),
  );

function expectClose(got: readonly number[], wanted: readonly number[]): void {
  expect(got).toHaveLength(wanted.length);
  for (const [index, value] of wanted.entries()) {
    const most = 1e-5 * Math.max(1, Math.abs(value));
    expect(Math.abs((got[index] ?? Number.NaN) - value)).toBeLessThan(most);
  }
}

const ofPositives = ["Log", "Sqrt", "Reciprocal"];
/** `Relu` has hardware of its own; the others came with later operator sets. */
const apart = new Set([...ofPositives, "Relu", "Swish", "Mish", "Gelu"]);

const functions: readonly Op[] = [
  ...Object.entries(elementwiseOperators)
    .filter(([operator, operands]) => operands === 1 && !apart.has(operator))
    .map(([operator]) => ({ operator })),
  { operator: "LeakyRelu", attributes: { alpha: 0.25 } },
  { operator: "Elu", attributes: { alpha: 2 } },
  { operator: "Shrink", attributes: { bias: 0.25, lambd: 0.75 } },
  { operator: "Celu", attributes: { alpha: 0.5 } },
  { operator: "HardSigmoid", attributes: { alpha: 0.25, beta: 0.75 } },
  { operator: "PRelu", inputs: ["x", "c"] },
  { operator: "Clip", inputs: ["x", "", "c"] },
  { operator: "Clip", inputs: ["x", "zero", "c"] },
  { operator: "Max", inputs: ["x", "c"] },
  { operator: "Min", inputs: ["c", "x"] },
];

describe("functions of single elements", () => {
  it.each(functions)(
    "$operator $attributes $inputs is read as ONNX Runtime reads it",
    async (op) => {
      const graph = chain([gemm, op, next]);
      const judged = await onnxRuntime(graph);
      expectClose(interpreted(graph), judged);
      expectClose(answered(denseNetwork(graph)), judged);
    },
  );

  it.each(ofPositives)(
    "%s of positive numbers is read as ONNX Runtime reads it",
    async (operator) => {
      const graph = chain([gemm, { operator: "Exp" }, { operator }, next]);
      const judged = await onnxRuntime(graph);
      expectClose(interpreted(graph), judged);
      expectClose(answered(denseNetwork(graph)), judged);
    },
  );

  it.each([
    { operator: "Gelu", attributes: { approximate: "none" } },
    { operator: "Gelu", attributes: { approximate: "tanh" } },
    { operator: "Mish" },
  ])(
    "$operator $attributes of later operator sets is read as ONNX Runtime reads it",
    async (op) => {
      const graph = chain([gemm, op, next], { opset: 20 });
      const judged = await onnxRuntime(graph);
      expectClose(interpreted(graph), judged);
      expectClose(answered(denseNetwork(graph)), judged);
    },
  );

  it.each<{ why: string; ops: readonly Op[]; functions: number }>([
    {
      why: "x · sigmoid(x), which reads its operand twice",
      ops: [gemm, { operator: "Sigmoid" }, { operator: "Mul", inputs: ["v1", "x"] }, next],
      functions: 1,
    },
    {
      why: "the long form of GELU",
      ops: [
        gemm,
        { operator: "Div", inputs: ["x", "c"] },
        { operator: "Erf" },
        { operator: "Add", inputs: ["x", "c"] },
        { operator: "Mul", inputs: ["v1", "x"] },
        { operator: "Mul", inputs: ["x", "c"] },
        next,
      ],
      functions: 1,
    },
    {
      why: "ReLU, then a bound",
      ops: [gemm, { operator: "Relu" }, { operator: "Min", inputs: ["x", "c"] }, next],
      functions: 1,
    },
    {
      why: "two functions with a scale between and one after",
      ops: [
        gemm,
        { operator: "Tanh" },
        { operator: "Mul", inputs: ["x", "c"] },
        { operator: "Elu" },
        { operator: "Mul", inputs: ["x", "b"] },
        next,
      ],
      functions: 1,
    },
    {
      why: "a scale for each output between two functions, as a layer of its own",
      ops: [
        gemm,
        { operator: "Tanh" },
        { operator: "Mul", inputs: ["x", "b"] },
        { operator: "Tanh" },
        next,
      ],
      functions: 2,
    },
    {
      why: "ReLU twice",
      ops: [gemm, { operator: "Relu" }, { operator: "Relu" }, next],
      functions: 0,
    },
    { why: "a last function, by the host", ops: [gemm, { operator: "Tanh" }], functions: 0 },
    {
      why: "a last x · sigmoid(x), by the host",
      ops: [gemm, { operator: "Sigmoid" }, { operator: "Mul", inputs: ["v1", "x"] }],
      functions: 0,
    },
  ])("become one for each layer: $why", async ({ ops, functions: count }) => {
    const graph = chain(ops);
    const network = denseNetwork(graph);
    expect(network.layers.filter(({ elementwise }) => elementwise)).toHaveLength(count);
    expectClose(answered(network), await onnxRuntime(graph));
  });

  it.each<{ why: string; ops: readonly Op[]; names: string }>([
    {
      why: "bounds that are computed",
      ops: [gemm, { operator: "Clip", inputs: ["x", "v1"] }, next],
      names: "Clip",
    },
    {
      why: "a slope for each output",
      ops: [gemm, { operator: "PRelu", inputs: ["x", "b"] }, next],
      names: "PRelu",
    },
  ])("are refused by name: $why", ({ ops, names }) => {
    expect(() => readOutputs(chain(ops))).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining(`Operator ${names} (node`),
      }),
    );
  });
});

describe("very many functions", () => {
  it.each([
    { why: "in a row", last: "x" },
    { why: "in a row, with the first used again at the end", last: "v1" },
  ])("$why are refused within seconds", ({ last }) => {
    const many = Array.from({ length: 20_000 }, (): Op => ({ operator: "Tanh" }));
    const end: Op = { operator: "Add", inputs: ["x", last] };
    const before = process.cpuUsage();
    expect(() => readOutputs(chain([gemm, ...many, end, next]))).toThrow(
      expect.objectContaining({ reason: "OPERATOR_UNSUPPORTED" }),
    );
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

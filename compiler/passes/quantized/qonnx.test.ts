import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { runnableOnnx } from "../../export-onnx";
import type { Attribute, Graph, GraphConstant, GraphNode } from "../../graph/graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerQuantized } from "../../lower/quantized";
import { qonnxDomain } from "../../model/quantizer";
import { runGraph } from "../../operators/run-graph";
import { randomFrom } from "../../random";

interface Quant {
  readonly scale: readonly number[];
  readonly bits: number;
  readonly zero?: number;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

interface Net {
  readonly input: Quant;
  readonly weights: Quant;
  readonly hidden: Quant;
  readonly output: Quant | null;
  readonly relu?: boolean;
}

/** 5-6-3 with QONNX's `Quant` on input, weights, hidden values and scores. */
function qonnxGraph({ input, weights, hidden, output, relu = true }: Net): Graph {
  const random = randomFrom(12);
  const constants = new Map<string, GraphConstant>();
  const nodes: GraphNode[] = [];
  const constant = (name: string, shape: number[], values: readonly number[]): string => {
    constants.set(name, { name, datatype: "FP32", shape, values: Float64Array.from(values) });
    return name;
  };
  const quant = (value: string, { scale, bits, zero = 0, attributes = {} }: Quant): string => {
    const name = `quant_${nodes.length}`;
    const inputs = [
      value,
      constant(`${name}_scale`, scale.length > 1 ? [1, scale.length] : [], scale),
      constant(`${name}_zero`, [], [zero]),
      constant(`${name}_bits`, [], [bits]),
    ];
    const all = { signed: 1, narrow: 0, rounding_mode: "ROUND", ...attributes };
    nodes.push({
      name,
      operator: "Quant",
      domain: qonnxDomain,
      inputs,
      outputs: [`${name}_out`],
      attributes: all,
    });
    return `${name}_out`;
  };
  const node = (operator: string, inputs: string[]): string => {
    const name = `${operator.toLowerCase()}_${nodes.length}`;
    nodes.push({ name, operator, domain: "", inputs, outputs: [`${name}_out`], attributes: {} });
    return `${name}_out`;
  };
  const stored = (name: string, rows: number, columns: number) =>
    quant(
      constant(
        name,
        [rows, columns],
        Array.from({ length: rows * columns }, () => Math.fround(random.normal())),
      ),
      weights.scale.length > 1
        ? {
            ...weights,
            scale: Array.from(
              { length: columns },
              (_, at) => weights.scale[at % weights.scale.length] ?? 1,
            ),
          }
        : weights,
    );
  let value = quant("x", input);
  value = node("MatMul", [value, stored("w0", 5, 6)]);
  value = node("Add", [
    value,
    constant(
      "b0",
      [6],
      Array.from({ length: 6 }, () => random.integer(-64, 64) / 128),
    ),
  ]);
  if (relu) value = node("Relu", [value]);
  value = quant(value, hidden);
  value = node("MatMul", [value, stored("w1", 6, 3)]);
  if (output) value = quant(value, output);
  return {
    inputs: [{ name: "x", datatype: "FP32", shape: [-1, 5] }],
    outputs: [{ name: value, datatype: "FP32", shape: [-1, 3] }],
    nodes,
    constants,
    shapes: new Map(),
    opset: 17,
  };
}

const plain: Net = {
  input: { scale: [2 ** -5], bits: 8 },
  weights: { scale: [2 ** -3], bits: 4, attributes: { narrow: 1 } },
  hidden: { scale: [2 ** -2], bits: 4, attributes: { signed: 0 } },
  output: null,
};

const nets: readonly { why: string; net: Net }[] = [
  { why: "4 bits, narrow weights, unsigned hidden values", net: plain },
  {
    why: "ternary weights with a scale for each output",
    net: { ...plain, weights: { scale: [0.5, 1, 0.25], bits: 2, attributes: { narrow: 1 } } },
  },
  {
    why: "unsigned inputs of 4 bits",
    net: { ...plain, input: { scale: [2 ** -2], bits: 4, attributes: { signed: 0 } } },
  },
  {
    why: "unsigned inputs of 7 bits",
    net: { ...plain, input: { scale: [2 ** -4], bits: 7, attributes: { signed: 0 } } },
  },
  {
    why: "values rounded down, then up",
    net: {
      ...plain,
      relu: false,
      hidden: { scale: [2 ** -2], bits: 6, attributes: { rounding_mode: "FLOOR" } },
      output: { scale: [2 ** -1], bits: 8, attributes: { rounding_mode: "CEIL" } },
    },
  },
  {
    why: "narrow values and a zero point",
    net: {
      ...plain,
      relu: false,
      hidden: { scale: [2 ** -2], bits: 5, attributes: { narrow: 1 } },
      output: { scale: [1], bits: 6, zero: 7, attributes: { signed: 0 } },
    },
  },
];

describe("QONNX's Quant", () => {
  it.each(nets)("is the integer graph, bit for bit: $why", async ({ net }) => {
    const graph = qonnxGraph(net);
    const { integerGraph, vectors: makeVectors, io } = lowerQuantized(graph);
    const input = io.inputs[0]?.quantise ?? { offset: Number.NaN, scale: Number.NaN };
    const vectors = makeVectors();
    const reals = vectors.flatMap((row) =>
      Array.from(row, (value) => (value + input.offset) * input.scale),
    );
    const tensor = { shape: [vectors.length, 5], values: Float64Array.from(reals) };
    const name = graph.outputs[0]?.name ?? "";
    const session = await InferenceSession.create(runnableOnnx(new Uint8Array(), graph), {
      logSeverityLevel: 3,
    });
    const answer = await session.run({
      x: new Tensor("float32", Float32Array.from(reals), [vectors.length, 5]),
    });
    const judged = Array.from(answer[name]?.data as Float32Array, (value) => value || 0);
    const step = 2 ** -integerGraph.output.fraction;
    const ours = vectors.flatMap((row) =>
      Array.from(runIntegerGraph(integerGraph, row).output, (value) => value * step || 0),
    );
    expect(new Set(ours).size).toBeGreaterThan(8);
    expect(ours).toEqual(judged);
    const interpreted = runGraph(graph, new Map([["x", tensor]])).get(name)?.values ?? [];
    expect(Array.from(interpreted, (value) => value || 0)).toEqual(judged);
  });

  it("uses no more bits than the model says", () => {
    const { nodes } = lowerQuantized(qonnxGraph(plain)).integerGraph;
    expect(nodes[0]).toMatchObject({ op: "dense", weightWidth: 4 });
    expect(nodes[1]).toMatchObject({
      op: "requantize",
      width: 4,
      signed: false,
      rounding: "half-even",
    });
  });

  it.each<{ why: string; change: Partial<Net>; words: RegExp }>([
    {
      why: "a scale that is no power of two",
      change: { hidden: { scale: [0.3], bits: 4 } },
      words: /power of two/,
    },
    {
      why: "weights with such a scale",
      change: { weights: { scale: [0.1], bits: 4 } },
      words: /power of two/,
    },
    { why: "a scale of 0", change: { hidden: { scale: [0], bits: 4 } }, words: /positive/ },
    { why: "a negative scale", change: { input: { scale: [-1], bits: 8 } }, words: /positive/ },
    {
      why: "NaN as a scale",
      change: { input: { scale: [Number.NaN], bits: 8 } },
      words: /positive/,
    },
    { why: "half a bit", change: { hidden: { scale: [1], bits: 3.5 } }, words: /bit width/ },
    { why: "no bits", change: { hidden: { scale: [1], bits: 0 } }, words: /bit width/ },
    { why: "a million bits", change: { hidden: { scale: [1], bits: 1e6 } }, words: /bit width/ },
    { why: "inputs of 12 bits", change: { input: { scale: [1], bits: 12 } }, words: /256/ },
    {
      why: "a zero point out of range",
      change: { hidden: { scale: [1], bits: 4, zero: 99 } },
      words: /zero point/,
    },
    {
      why: "half a zero point",
      change: { hidden: { scale: [1], bits: 4, zero: 0.5 } },
      words: /zero point/,
    },
    {
      why: "an unknown rounding",
      change: { hidden: { scale: [1], bits: 4, attributes: { rounding_mode: "STOCHASTIC" } } },
      words: /STOCHASTIC/,
    },
    {
      why: "a scale for each hidden value",
      change: { hidden: { scale: [1, 1, 1, 1, 1, 1], bits: 4 } },
      words: /channel/,
    },
    { why: "one signed bit", change: { hidden: { scale: [1], bits: 1 } }, words: /no values/ },
    {
      why: "weights of 20 bits",
      change: { weights: { scale: [2 ** -17], bits: 20 } },
      words: /bits/,
    },
  ])("is refused by name: $why", ({ change, words }) => {
    expect(() => lowerQuantized(qonnxGraph({ ...plain, ...change }))).toThrow(
      expect.objectContaining({
        reason: "QUANTIZER_INVALID",
        message: expect.stringMatching(words),
        hint: expect.stringContaining("powers of two"),
      }),
    );
  });
});

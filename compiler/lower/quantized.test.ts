import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { quantizeOnto } from "@/lib/common/fixed-point";
import { type QuantizedNet, quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { exportOnnx } from "../export-onnx";
import { parseOnnx } from "../frontends/onnx";
import type { Graph, GraphConstant, GraphNode } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runGraph } from "../operators/run-graph";
import { randomFrom } from "../random";
import { lowerQuantized } from "./quantized";

const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });
const unsigned = (fraction: number, zero = 0) => ({ type: "UINT8" as const, zero, fraction });

const nets: readonly (QuantizedNet & { readonly why: string })[] = [
  { why: "one layer, its sums as scores", sizes: [5, 3], input: signed(5), stops: [null] },
  { why: "one layer that ends on a grid", sizes: [5, 3], input: signed(5), stops: [signed(2)] },
  {
    why: "ReLU before unsigned values",
    sizes: [6, 9, 4],
    input: signed(5),
    stops: [unsigned(3), null],
    between: ["Relu", null],
  },
  {
    why: "unsigned inputs with a zero point, weights with one too",
    sizes: [6, 8, 4],
    input: unsigned(4, 100),
    stops: [unsigned(3, 37), unsigned(1, 200)],
    weightZero: 3,
  },
  {
    why: "signed values with odd zero points",
    sizes: [6, 8, 4],
    input: { type: "INT8", zero: -3, fraction: 4 },
    stops: [{ type: "INT8", zero: -127, fraction: 3 }, null],
    between: ["Relu", null],
  },
  {
    why: "one scale for all channels, coarse and fine grids",
    sizes: [4, 6, 6, 3],
    input: signed(2),
    stops: [signed(9), signed(-2), signed(12)],
    perChannel: false,
  },
  {
    why: "tanh and sigmoid between two grids",
    sizes: [6, 7, 6, 3],
    input: signed(5),
    stops: [signed(6), unsigned(8), null],
    between: ["Tanh", "Sigmoid", null],
  },
];

async function onnxRuntime(graph: ReturnType<typeof quantizedGraph>, rows: readonly number[][]) {
  const session = await InferenceSession.create(exportOnnx(graph), { logSeverityLevel: 3 });
  const values = Float32Array.from(rows.flat());
  const answer = await session.run({
    x: new Tensor("float32", values, [rows.length, rows[0]?.length ?? 0]),
  });
  return Array.from(answer[graph.outputs[0]?.name ?? ""]?.data as Float32Array);
}

/** Real answers of the integer graph. */
function answered(
  { integerGraph }: ReturnType<typeof lowerQuantized>,
  rows: readonly ArrayLike<number>[],
) {
  const step = 2 ** -integerGraph.output.fraction;
  return rows.flatMap((row) =>
    Array.from(runIntegerGraph(integerGraph, row).output, (value) => value * step),
  );
}

/** How the host quantises a model's only input. */
function inputOf({ io }: ReturnType<typeof lowerQuantized>) {
  const quantise = io.inputs[0]?.quantise;
  if (!quantise) throw new Error("a quantised model has grids of its own");
  return quantise;
}

describe("a quantised model", () => {
  it.each(nets)(
    "is its integer graph, bit for bit on every vector: $why",
    async ({ why: _, ...net }) => {
      const graph = quantizedGraph(net);
      const lowered = lowerQuantized(graph);
      const { scale, offset, min, max } = inputOf(lowered);
      const vectors = lowered
        .vectors()
        .filter((row) => row.every((value) => value + offset >= min && value + offset <= max));
      expect(vectors.length).toBeGreaterThan(1000);
      const reals = vectors.map((row) => Array.from(row, (value) => (value + offset) * scale));
      expect(answered(lowered, vectors)).toEqual(await onnxRuntime(graph, reals));
    },
  );

  it.each(nets)(
    "takes inputs of any size as ONNX Runtime does: $why",
    async ({ why: _, ...net }) => {
      const graph = quantizedGraph({ ...net, seed: 8 });
      const lowered = lowerQuantized(graph);
      const random = randomFrom(2);
      // Half way between two steps, beyond both ends, and in between.
      const input = inputOf(lowered);
      const { scale } = input;
      const reals = Array.from({ length: 300 }, (_, row) =>
        Array.from({ length: net.sizes[0] ?? 1 }, () =>
          row % 3 === 0
            ? (random.integer(-200, 200) + 0.5) * scale
            : Math.fround(random.normal() * 90 * scale),
        ),
      );
      const rows = reals.map((row) => row.map((value) => quantizeOnto(value, input)));
      expect(answered(lowered, rows)).toEqual(await onnxRuntime(graph, reals));
    },
  );

  it.each(nets)(
    "is read by the float interpreter as by ONNX Runtime: $why",
    async ({ why: _, ...net }) => {
      const graph = quantizedGraph(net);
      const size = net.sizes[0] ?? 1;
      const rows = Array.from({ length: 20 }, (_, row) =>
        Array.from({ length: size }, (_, index) => ((row * 7 + index * 3) % 23) / 4 - 3),
      );
      const input = { shape: [rows.length, size], values: Float64Array.from(rows.flat()) };
      const ours = runGraph(graph, new Map([["x", input]])).get(graph.outputs[0]?.name ?? "");
      expect(Array.from(ours?.values ?? [])).toEqual(await onnxRuntime(graph, rows));
    },
  );

  it("is the same from its file", () => {
    const graph = quantizedGraph({ sizes: [4, 3], input: signed(5), stops: [signed(2)] });
    expect(lowerQuantized(parseOnnx(exportOnnx(graph))).integerGraph).toEqual(
      lowerQuantized(graph).integerGraph,
    );
  });

  it("with biases finer than its sums rounds as exact arithmetic does", () => {
    const graph = quantizedGraph({
      sizes: [3, 5],
      input: signed(5),
      stops: [signed(3)],
      floatBias: true,
    });
    const lowered = lowerQuantized(graph);
    const rows = lowered.vectors().slice(0, 500);
    const input = {
      shape: [rows.length, 3],
      values: Float64Array.from(rows.flatMap((row) => Array.from(row, (value) => value * 2 ** -5))),
    };
    const wanted = runGraph(graph, new Map([["x", input]])).get(graph.outputs[0]?.name ?? "");
    expect(answered(lowered, rows)).toEqual(Array.from(wanted?.values ?? []));
  });
});

const base = { sizes: [4, 5, 3], input: signed(5), stops: [signed(3), null] } as const;

/** A net with some of its constants or nodes changed. */
function changed(change: (graph: Graph) => Partial<Graph>): Graph {
  const graph = quantizedGraph(base);
  return { ...graph, ...change(graph) };
}
const withConstant = (name: string, part: Partial<GraphConstant>) =>
  changed(({ constants }) => {
    const old = constants.get(name);
    if (!old) throw new Error(`no ${name}`);
    const { datatype, shape, values } = old;
    return {
      constants: new Map([...constants, [name, { name, datatype, shape, values, ...part }]]),
    };
  });
const withNodes = (change: (node: GraphNode) => GraphNode | null) =>
  changed(({ nodes }) => ({ nodes: nodes.map(change).filter((node) => node !== null) }));
const numbers = (...values: number[]) => ({ values: Float64Array.from(values) });

describe("a quantised model that cannot be taken at its word", () => {
  it.each<{ why: string; graph: Graph; words: RegExp }>([
    {
      why: "a free scale",
      graph: withConstant("scale_6", numbers(0.1)),
      words: /0\.1.*no power of two/,
    },
    {
      why: "a free scale of weights",
      graph: withConstant("ws0", { shape: [], ...numbers(0.003) }),
      words: /power of two/,
    },
    { why: "a scale of 0", graph: withConstant("scale_0", numbers(0)), words: /positive/ },
    {
      why: "NaN as a scale",
      graph: withConstant("scale_0", numbers(Number.NaN)),
      words: /positive/,
    },
    {
      why: "no scale",
      graph: withConstant("scale_0", { shape: [0], ...numbers() }),
      words: /no constant scale/,
    },
    {
      why: "a zero point out of range",
      graph: withConstant("zero_0", numbers(300)),
      words: /zero point of 300/,
    },
    {
      why: "a type that nothing is quantised to",
      graph: withConstant("zero_0", { datatype: "FP32" }),
      words: /FP32/,
    },
    {
      why: "inputs of 16 bits",
      graph: withConstant("zero_0", { datatype: "INT16" }),
      words: /at most 256/,
    },
    {
      why: "scales for other channels",
      graph: withConstant("ws0", { shape: [4], ...numbers(1, 1, 1, 1) }),
      words: /4 scales|scales and/,
    },
    {
      why: "a scale for each block",
      graph: withNodes((node) =>
        node.name === "quantizelinear_0" ? { ...node, attributes: { block_size: 2 } } : node,
      ),
      words: /block/,
    },
    {
      why: "a scale that is computed",
      graph: withNodes((node) =>
        node.name === "quantizelinear_0" ? { ...node, inputs: ["x", "x", "zero_0"] } : node,
      ),
      words: /no constant scale/,
    },
    {
      why: "dequantising by another scale",
      graph: withNodes((node) =>
        node.name === "dequantizelinear_1"
          ? { ...node, inputs: [node.inputs[0] ?? "", "scale_6", "zero_6"] }
          : node,
      ),
      words: /does not undo/,
    },
    {
      why: "inputs that are not quantised",
      graph: withNodes((node) => {
        if (node.name === "quantizelinear_0" || node.name === "dequantizelinear_1") return null;
        return {
          ...node,
          inputs: node.inputs.map((name) => (name === "dequantizelinear_1_out" ? "x" : name)),
        };
      }),
      words: /not quantised/,
    },
    {
      why: "hidden values that are not quantised",
      graph: withNodes((node) => {
        if (node.name === "quantizelinear_6" || node.name === "dequantizelinear_7") return null;
        return {
          ...node,
          inputs: node.inputs.map((name) =>
            name === "dequantizelinear_7_out" ? "add_5_out" : name,
          ),
        };
      }),
      words: /not quantised/,
    },
  ])("is refused by name: $why", ({ graph, words }) => {
    expect(() => lowerQuantized(graph)).toThrow(
      expect.objectContaining({
        reason: "QUANTIZER_INVALID",
        message: expect.stringMatching(words),
        hint: expect.stringContaining("CPU board"),
      }),
    );
  });
});

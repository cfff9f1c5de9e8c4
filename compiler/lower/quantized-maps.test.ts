import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { quantizeOnto } from "@/lib/common/fixed-point";
import {
  type QuantizedMapGraphBuilder,
  quantizedMapGraph,
} from "@/tests/support/compiler/quantized-map-graph";
import { designCore } from "../design";
import { exportOnnx } from "../export-onnx";
import { lower, ownBitsOf } from "../flows";
import { forecast } from "../forecast";
import { parseOnnx } from "../frontends/onnx";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { outlineOf } from "../outline";
import { standardForm } from "../passes/quantized/standard-form";
import { randomFrom } from "../random";
import { targetOf } from "../target/part";
import { lowerQuantized } from "./quantized";

const signed = (fraction: number, zero = 0) => ({ type: "INT8" as const, zero, fraction });
const unsigned = (fraction: number, zero = 0) => ({ type: "UINT8" as const, zero, fraction });
const two = { kernel_shape: [2, 2], strides: [2, 2] };
const same = { pads: [1, 1, 1, 1] };

type Make = (net: QuantizedMapGraphBuilder) => string;

/** Ends in three scores on no grid. */
const scores = (net: QuantizedMapGraphBuilder, value: string, inputs: number, fraction: number) =>
  net.conv(net.add("Flatten", [value]), [3, inputs], { fraction });

const nets: readonly { readonly why: string; readonly make: Make }[] = [
  {
    why: "two convolutions with ReLU, pooled on their grid",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const one = net.add("Relu", [
        net.conv(image, [4, 2, 3, 3], { fraction: 5, attributes: same }),
      ]);
      const pooled = net.add("MaxPool", [net.stop(one, unsigned(4))], two);
      const two_ = net.stop(pooled, unsigned(4));
      const last = net.add("Relu", [net.conv(two_, [5, 4, 2, 2], { fraction: 4 })]);
      return scores(net, net.stop(last, unsigned(2)), 5 * 4, 2);
    },
  },
  {
    why: "pooling before the grid, biases on no grid",
    make: (net) => {
      const image = net.stop(net.input, signed(4));
      const sums = net.conv(image, [3, 2, 3, 3], { fraction: 4, floatBias: true });
      const pooled = net.add("Relu", [net.add("MaxPool", [sums], two)]);
      return scores(net, net.stop(pooled, unsigned(3)), 3 * 4, 3);
    },
  },
  {
    why: "a residual sum of unlike grids",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const one = net.stop(
        net.conv(image, [4, 2, 3, 3], { fraction: 5, attributes: same }),
        signed(3),
      );
      const inner = net.stop(
        net.conv(one, [4, 4, 3, 3], { fraction: 3, attributes: same }),
        signed(1),
      );
      const sum = net.stop(net.add("Relu", [net.add("Add", [one, inner])]), unsigned(2));
      return scores(net, sum, 4 * 36, 2);
    },
  },
  {
    why: "depthwise layers, joined maps, and an average of four",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const deep = net.conv(image, [2, 1, 3, 3], {
        fraction: 5,
        attributes: { group: 2, ...same },
      });
      const left = net.stop(net.add("Relu", [deep]), unsigned(4));
      const wide = net.conv(image, [3, 2, 1, 1], { fraction: 5 });
      const right = net.stop(net.add("Relu", [wide]), unsigned(4));
      const both = net.add("Concat", [left, right], { axis: 1 });
      const mean = net.stop(net.add("AveragePool", [both], two), unsigned(4));
      return scores(net, mean, 5 * 9, 4);
    },
  },
  {
    why: "a residual sum of a signed and an unsigned map, of which a third is pooled",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const first = net.conv(image, [4, 2, 3, 3], { fraction: 5, attributes: same });
      const one = net.stop(net.add("Relu", [first]), unsigned(4));
      const inner = net.conv(one, [4, 4, 3, 3], { fraction: 4, attributes: same });
      const sum = net.add("Add", [one, net.stop(inner, signed(2))]);
      const both = net.add("MaxPool", [net.stop(net.add("Relu", [sum]), unsigned(2))], two);
      return scores(net, both, 4 * 9, 2);
    },
  },
  {
    why: "ReLU and a function of one map on its grid",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const one = net.stop(net.conv(image, [4, 2, 1, 1], { fraction: 5 }), signed(4));
      const left = net.conv(net.add("Relu", [one]), [3, 4, 1, 1], { fraction: 4 });
      const right = net.conv(net.stop(net.add("Tanh", [one]), signed(7)), [3, 4, 1, 1], {
        fraction: 7,
      });
      const sum = net.stop(
        net.add("Add", [net.stop(left, signed(2)), net.stop(right, signed(2))]),
        signed(1),
      );
      return scores(net, sum, 3 * 36, 1);
    },
  },
];

const onlyOnnx: typeof nets = [
  {
    why: "inputs and hidden values with zero points, padded, the scores on a grid",
    make: (net) => {
      const image = net.stop(net.input, unsigned(4, 100));
      const one = net.conv(image, [4, 2, 3, 3], { fraction: 4, attributes: same });
      const two_ = net.conv(net.stop(one, unsigned(2, 37)), [3, 4, 3, 3], {
        fraction: 2,
        attributes: same,
      });
      const last = scores(net, net.stop(two_, signed(0, -3)), 3 * 36, 0);
      return net.stop(last, signed(-4));
    },
  },
  {
    why: "a function between two grids",
    make: (net) => {
      const image = net.stop(net.input, signed(5));
      const one = net.stop(net.conv(image, [3, 2, 3, 3], { fraction: 5 }), signed(4));
      const curve = net.stop(net.add("Tanh", [one]), signed(7));
      return scores(net, curve, 3 * 16, 7);
    },
  },
];

async function answersOf(graph: Graph, rows: readonly Float64Array[]): Promise<number[]> {
  const judged = exportOnnx(standardForm(graph));
  const session = await InferenceSession.create(judged, { logSeverityLevel: 3 });
  const values = Float32Array.from(rows.flatMap((row) => Array.from(row)));
  const answer = await session.run({
    image: new Tensor("float32", values, [rows.length, 2, 6, 6]),
  });
  return Array.from(answer[graph.outputs[0]?.name ?? ""]?.data as Float32Array);
}

async function expectExact(graph: Graph): Promise<void> {
  const random = randomFrom(3);
  const rows = Array.from({ length: 20 }, () =>
    Float64Array.from({ length: 72 }, () => Math.fround(6 * random.uniform() - 3)),
  );
  const { integerGraph, io } = lowerQuantized(graph);
  const [{ quantise: input } = {}] = io.inputs;
  if (!input) throw new Error("a quantised model has grids of its own");
  const step = 2 ** -integerGraph.output.fraction;
  const ours = rows.flatMap((row) => {
    const sent = Array.from(row, (value) => quantizeOnto(value, input));
    return Array.from(runIntegerGraph(integerGraph, sent).output, (value) => value * step);
  });
  const wanted = await answersOf(graph, rows);
  expect(new Set(wanted).size).toBeGreaterThan(3);
  const furthest = Math.max(...ours.map((value, at) => Math.abs(value - (wanted[at] ?? NaN))));
  const largest = Math.max(...wanted.map(Math.abs));
  // ONNX Runtime sums in float32, which holds sums of scores to 24 bits.
  expect(furthest).toBeLessThanOrEqual(largest * 2 ** -20);
}

describe("a quantised model of feature maps answers as ONNX Runtime does", () => {
  it.each([...nets, ...onlyOnnx])("$why", async ({ make }) => {
    const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 5 });
    await expectExact(parseOnnx(exportOnnx(net.finish(make(net), [-1, 3]))));
  });

  it.each(nets)("in QONNX: $why", async ({ make }) => {
    const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 6, spelling: "qonnx" });
    await expectExact(net.finish(make(net), [-1, 3]));
  });
});

it("is designed for a board, and forecast as it is designed", () => {
  const [, , residual] = nets;
  const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 7 });
  const graph = net.finish(residual?.make(net) ?? "", [-1, 3]);
  const board = getBoardModel("icebreaker");
  const { integerGraph } = lower({ graph, inputRange: null, calibration: null });
  const target = targetOf(board);
  const design = designCore({
    graph: integerGraph,
    board: target,
    others: [],
    architecture: "auto",
    lanes: null,
  });
  const guess = forecast({ outline: outlineOf(graph), board });
  expect(guess).toMatchObject({ fits: true, architecture: "walk", lanes: design.lanes });
  expect(ownBitsOf(graph)).toContain("The model says");
});

describe("what no grid holds is refused by name", () => {
  const image = (net: QuantizedMapGraphBuilder) => net.stop(net.input, signed(5));
  it.each<{ why: string; names: string; make: Make }>([
    {
      why: "an average of nine",
      names: "averagepool",
      make: (net) => {
        const mean = net.add("AveragePool", [image(net)], { kernel_shape: [3, 3] });
        return scores(net, net.stop(mean, signed(5)), 2 * 16, 5);
      },
    },
    {
      why: "sums that are multiplied before they are on a grid",
      names: "conv",
      make: (net) => {
        const one = net.conv(image(net), [3, 2, 3, 3], { fraction: 5 });
        return scores(net, net.conv(one, [2, 3, 1, 1], { fraction: 5 }), 32, 5);
      },
    },
    {
      why: "joined maps of unlike grids",
      names: "concat",
      make: (net) => {
        const start = image(net);
        const one = net.stop(net.conv(start, [3, 2, 1, 1], { fraction: 5 }), signed(5));
        const other = net.stop(net.conv(start, [3, 2, 1, 1], { fraction: 5 }), signed(3));
        return scores(net, net.add("Concat", [one, other], { axis: 1 }), 216, 5);
      },
    },
    {
      why: "joined maps that no byte holds together",
      names: "concat",
      make: (net) => {
        const start = image(net);
        const first = net.conv(start, [3, 2, 1, 1], { fraction: 5 });
        const one = net.stop(net.add("Relu", [first]), unsigned(5));
        const other = net.stop(net.conv(start, [3, 2, 1, 1], { fraction: 5 }), signed(5));
        return scores(net, net.add("Concat", [one, other], { axis: 1 }), 216, 5);
      },
    },
    {
      why: "a function that ends on no grid",
      names: "conv",
      make: (net) => {
        const one = net.stop(net.conv(image(net), [4, 2, 3, 3], { fraction: 5 }), signed(4));
        return scores(net, net.add("Tanh", [one]), 64, 4);
      },
    },
  ])("$why", ({ names, make }) => {
    const net = quantizedMapGraph([-1, 2, 6, 6]);
    const graph = net.finish(make(net), [-1, 3]);
    expect(() => lowerQuantized(graph)).toThrow(
      expect.objectContaining({
        reason: "QUANTIZER_INVALID",
        message: expect.stringContaining(names),
      }),
    );
  });
});

it("refuses weights of 128, which a signed byte does not hold", () => {
  const net = quantizedMapGraph([-1, 2, 6, 6]);
  const one = net.conv(net.stop(net.input, signed(5)), [3, 2, 3, 3], { fraction: 5 });
  const graph = net.finish(scores(net, net.stop(one, signed(3)), 48, 3), [-1, 3]);
  const node = graph.nodes.find(({ outputs }) => outputs[0] === one);
  const weights = graph.nodes.find(({ outputs }) => outputs[0] === node?.inputs[1])?.inputs[0];
  const widened = (largest: number) => {
    const constants = [...graph.constants].map(([name, constant]) => {
      const values = constant.values.map((value, at) =>
        at === 0 ? 1 : at === 1 ? largest : value,
      );
      return [name, name === weights ? { ...constant, values } : constant] as const;
    });
    return { ...graph, constants: new Map(constants) };
  };
  expect(() => lowerQuantized(widened(127))).not.toThrow();
  expect(() => lowerQuantized(widened(-128))).not.toThrow();
  expect(() => lowerQuantized(widened(128))).toThrow(
    expect.objectContaining({
      reason: "QUANTIZER_INVALID",
      message: expect.stringContaining(one),
    }),
  );
});

it("refuses to answer a map, whose channels come first", () => {
  const net = quantizedMapGraph([-1, 2, 6, 6]);
  const map = net.conv(net.stop(net.input, signed(5)), [3, 2, 1, 1], { fraction: 5 });
  expect(() => lowerQuantized(net.finish(map, [-1, 3, 6, 6]))).toThrow(
    expect.objectContaining({ reason: "MODEL_UNSUPPORTED" }),
  );
});

describe("attention in a quantised model is refused by name", () => {
  it.each([
    {
      operator: "Softmax",
      make: (net: QuantizedMapGraphBuilder, rows: string) => net.add("Softmax", [rows]),
    },
    {
      operator: "MatMul",
      make: (net: QuantizedMapGraphBuilder, rows: string) => {
        const turned = net.add("Transpose", [rows], { perm: [0, 2, 1] });
        return net.add("MatMul", [rows, turned]);
      },
    },
  ])("$operator", ({ operator, make }) => {
    const net = quantizedMapGraph([-1, 6, 6]);
    const made = make(net, net.stop(net.input, signed(5)));
    const graph = net.finish(scores(net, net.stop(made, signed(5)), 36, 5), [-1, 3]);
    expect(() => lowerQuantized(graph)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining(`Operator ${operator} (node "${made}")`),
      }),
    );
  });
});

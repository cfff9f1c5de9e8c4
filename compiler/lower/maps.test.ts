import { describe, expect, it } from "vitest";
import { quantize } from "@/lib/common/fixed-point";
import { imageNet, type MapGraphBuilder, mapGraph } from "@/tests/support/compiler/map-graph";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runLayers } from "../model/maps/run-layers";
import { runGraph } from "../operators/run-graph";
import { standardiseMaps } from "../passes/maps/standardise-maps";
import { randomFrom } from "../random";
import { mapModel } from "../reader";
import { lowerMaps } from "./maps";

const sizeOf = (shape: readonly number[]) =>
  shape.slice(1).reduce((product, each) => product * each, 1);

/** The largest errors of scores over seeded rows, as shares of the largest score: by reading, and by rounding. */
function errorsOf(graph: Graph): { readonly read: number; readonly rounded: number } {
  const [input] = graph.inputs;
  if (!input) throw new Error("no input");
  const size = sizeOf(input.shape);
  const range = { min: Array<number>(size).fill(-1), max: Array<number>(size).fill(2) };
  const { integerGraph, standardisation } = lowerMaps({
    graph,
    inputRange: range,
    calibration: null,
  });
  const { mean, deviation } = standardisation;
  const { width, fraction } = integerGraph.input;
  const random = randomFrom(5);
  const { layers } = standardiseMaps(
    mapModel(graph),
    { width, fraction, signed: true },
    { range, given: null, rows: 0 },
  );
  let [read, rounded, largest] = [0, 0, 0];
  for (let row = 0; row < 6; row++) {
    const values = Float64Array.from({ length: size }, () => 3 * random.uniform() - 1);
    const tensor = { shape: [1, ...input.shape.slice(1)], values };
    const [wanted] = runGraph(graph, new Map([[input.name, tensor]])).values();
    const scaled = values.map((value, at) => (value - (mean[at] ?? 0)) / (deviation[at] ?? 1));
    const floats = runLayers(layers, scaled).at(-1);
    const sent = scaled.map((value) => quantize(value, { width, fraction, signed: true }));
    for (const [at, score] of runIntegerGraph(integerGraph, sent).output.entries()) {
      const real = wanted?.values[at] ?? Number.NaN;
      read = Math.max(read, Math.abs((floats?.[at] ?? Number.NaN) - real));
      rounded = Math.max(rounded, Math.abs(score * 2 ** -integerGraph.output.fraction - real));
      largest = Math.max(largest, Math.abs(real));
    }
  }
  return { read: read / largest, rounded: rounded / largest };
}

const norm = (net: MapGraphBuilder, from: string, channels: number) =>
  net.add("BatchNormalization", [from], {
    weights: [[channels], [channels], [channels], [channels]],
    positive: true,
  });

describe("feature maps as integers", () => {
  it.each<{ why: string; graph: () => Graph }>([
    { why: "images with channels last", graph: () => imageNet([3, 4]) },
    {
      why: "padding around an input whose zero is not in the middle",
      graph: () => {
        const net = mapGraph([-1, 2, 6, 6], 3);
        const one = net.conv(net.input, [4, 2, 3, 3], { pads: [2, 1, 1, 2] });
        return net.finish(net.dense(net.relu(one), 4 * 49, 3), [-1, 3]);
      },
    },
    {
      why: "scales before, between and behind layers",
      graph: () => {
        const net = mapGraph([-1, 2, 5, 5], 4);
        const scaled = net.add("Mul", [net.input], { weights: [[2, 1, 1]], positive: true });
        const one = net.relu(norm(net, net.conv(scaled, [6, 2, 3, 3]), 6));
        const two = norm(net, one, 6);
        const last = net.dense(net.conv(two, [4, 6, 2, 2]), 16, 3);
        return net.finish(net.add("Add", [last], { weights: [[3]] }), [-1, 3]);
      },
    },
    {
      why: "a residual sum, joined maps and averages",
      graph: () => {
        const net = mapGraph([-1, 3, 6, 6], 6);
        const same = { pads: [1, 1, 1, 1] };
        const one = net.relu(net.conv(net.input, [4, 3, 3, 3], same));
        const sum = net.relu(net.add("Add", [net.conv(one, [4, 4, 3, 3], same), one]));
        const both = net.add("Concat", [sum, net.conv(sum, [2, 4, 1, 1])], {
          attributes: { axis: 1 },
        });
        const mean = net.add("AveragePool", [both], {
          attributes: { kernel_shape: [2, 2], strides: [2, 2] },
        });
        return net.finish(net.dense(mean, 54, 3), [-1, 3]);
      },
    },
    {
      why: "zeros around maps, before a convolution with its own and behind a transposition",
      graph: () => {
        const net = mapGraph([-1, 5, 4, 2], 11);
        const wide = net.add("Pad", [net.input], { constants: [[0, 1, 2, 0, 0, 0, 1, 0]] });
        const first = net.add("Transpose", [wide], { attributes: { perm: [0, 3, 1, 2] } });
        const one = net.relu(net.conv(first, [4, 2, 3, 3], { pads: [0, 1, 1, 0] }));
        const around = net.add("Pad", [one], { attributes: { pads: [0, 0, 0, 2, 0, 0, 1, 0] } });
        return net.finish(net.dense(net.conv(around, [3, 4, 2, 2]), 3 * 5 * 7, 3), [-1, 3]);
      },
    },
    {
      why: "an average over all pixels, channels last",
      graph: () => {
        const net = mapGraph([-1, 3, 6, 4], 7);
        const one = net.relu(net.conv(net.input, [5, 3, 3, 3]));
        const last = net.add("Transpose", [one], { attributes: { perm: [0, 2, 3, 1] } });
        const mean = net.add("ReduceMean", [last], { attributes: { axes: [1, 2], keepdims: 0 } });
        const gemm = net.add("Gemm", [mean], { attributes: { transB: 1 }, weights: [[3, 5], [3]] });
        return net.finish(gemm, [-1, 3]);
      },
    },
    {
      why: "a product of two maps, its scores divided",
      graph: () => {
        const net = mapGraph([-1, 6, 4], 15);
        const rows = net.relu(net.add("MatMul", [net.input], { weights: [[4, 8]] }));
        const turned = net.add("Transpose", [rows], { attributes: { perm: [0, 2, 1] } });
        const gram = net.add("Div", [net.add("MatMul", [rows, turned])], { constants: [[3]] });
        return net.finish(net.dense(gram, 36, 3), [-1, 3]);
      },
    },
    {
      why: "rows that the batch was joined with, as converters write dense layers and heads",
      graph: () => {
        const net = mapGraph([-1, 6, 4], 17);
        const flat = net.add("Reshape", [net.input], { constants: [[-1, 4]] });
        const all = net.add("MatMul", [flat], { weights: [[4, 8]] });
        const sums = net.relu(net.add("Add", [all], { weights: [[8]] }));
        const split = net.add("Reshape", [sums], { constants: [[-1, 6, 2, 4]] });
        const heads = net.add("Transpose", [split], { attributes: { perm: [0, 2, 1, 3] } });
        const joined = net.add("Reshape", [heads], { constants: [[-1, 6, 4]] });
        const turned = net.add("Transpose", [joined], { attributes: { perm: [0, 2, 1] } });
        const grams = net.add("Softmax", [net.add("MatMul", [joined, turned])]);
        const apart = net.add("Reshape", [grams], { constants: [[-1, 2, 6, 6]] });
        return net.finish(net.dense(apart, 72, 3), [-1, 3]);
      },
    },
    {
      why: "rows normalised, before and behind a layer",
      graph: () => {
        const net = mapGraph([-1, 5, 8], 18);
        const norm = (from: string, size: number) =>
          net.add("LayerNormalization", [from], {
            weights: [[size], [size]],
            positive: true,
            attributes: { epsilon: 1e-3 },
          });
        const first = net.add("MatMul", [norm(net.input, 8)], { weights: [[8, 6]] });
        return net.finish(net.dense(norm(net.relu(first), 6), 30, 3), [-1, 3]);
      },
    },
    {
      why: "softmax between layers, of rows and of a part of the input",
      graph: () => {
        const net = mapGraph([-1, 4, 6], 16);
        const first = net.add("Softmax", [net.input], { attributes: { axis: 2 } });
        const second = net.add("Softmax", [net.add("MatMul", [first], { weights: [[6, 5]] })]);
        return net.finish(net.dense(second, 20, 3), [-1, 3]);
      },
    },
    {
      why: "functions of the input, of sums that others read too, and in a row with scales",
      graph: () => {
        const net = mapGraph([-1, 2, 6, 6], 14);
        const first = net.add("Elu", [net.input]);
        const one = net.add("Tanh", [net.conv(first, [4, 2, 3, 3])]);
        const two = net.add("Sigmoid", [net.add("Softplus", [net.conv(one, [3, 4, 2, 2])])]);
        const three = net.add("LeakyRelu", [net.conv(two, [3, 3, 1, 1])]);
        const sum = net.add("HardSwish", [net.add("Add", [two, three])]);
        return net.finish(net.dense(sum, 27, 3), [-1, 3]);
      },
    },
    {
      why: "dense layers with a residual sum",
      graph: () => {
        const net = mapGraph([-1, 6], 15);
        const one = net.relu(net.dense(net.input, 6, 8));
        const two = net.add("Tanh", [net.dense(one, 8, 8)]);
        const sum = net.relu(net.add("Add", [one, two]));
        return net.finish(net.dense(sum, 8, 3), [-1, 3]);
      },
    },
  ])("keep close to the float model: $why", ({ graph }) => {
    const { read, rounded } = errorsOf(graph());
    expect(read).toBeLessThan(1e-12);
    expect(rounded).toBeLessThan(0.15);
  });

  it("hold the zero of padding exactly", () => {
    const net = mapGraph([-1, 1, 4, 4], 3);
    const one = net.conv(net.input, [2, 1, 3, 3], { pads: [1, 1, 1, 1] });
    const graph = net.finish(net.dense(one, 32, 2), [-1, 2]);
    const range = { min: Array<number>(16).fill(-0.3), max: Array<number>(16).fill(1.1) };
    const { integerGraph, standardisation } = lowerMaps({
      graph,
      inputRange: range,
      calibration: null,
    });
    const [first] = integerGraph.nodes;
    const { mean, deviation } = standardisation;
    const zero = first?.op === "convolution" ? first.paddingValue : Number.NaN;
    expect(Number.isInteger(zero)).toBe(true);
    const { fraction } = integerGraph.input;
    expect((mean[0] ?? 1) + (deviation[0] ?? 1) * zero * 2 ** -fraction).toBeCloseTo(0, 12);
  });
});

describe("operators that feature maps cannot have", () => {
  const conv = (net: MapGraphBuilder) => net.conv(net.input, [2, 1, 2, 2]);
  it.each<{ why: string; node: string; make: (net: MapGraphBuilder) => string }>([
    {
      why: "margins that are not zero",
      node: "pad_0",
      make: (net) => {
        const around = net.add("Pad", [net.input], {
          attributes: { pads: [0, 0, 1, 1, 0, 0, 1, 1], value: 2 },
        });
        return net.conv(around, [2, 1, 2, 2]);
      },
    },
    {
      why: "unknown ones",
      node: "instancenormalization_1",
      make: (net) => net.add("InstanceNormalization", [conv(net)]),
    },
    {
      why: "products of two values",
      node: "mul_1",
      make: (net) => {
        const one = conv(net);
        return net.add("Mul", [one, one]);
      },
    },
    {
      why: "averages that count fewer values at edges",
      node: "averagepool_1",
      make: (net) =>
        net.add("AveragePool", [conv(net)], {
          attributes: { kernel_shape: [2, 2], pads: [1, 1, 1, 1] },
        }),
    },
    {
      why: "shapes that mix rows",
      node: "transpose_1",
      make: (net) => net.add("Transpose", [conv(net)], { attributes: { perm: [1, 0, 2, 3] } }),
    },
    {
      why: "windows larger than the map",
      node: "maxpool_1",
      make: (net) => net.add("MaxPool", [conv(net)], { attributes: { kernel_shape: [9, 9] } }),
    },
    {
      why: "sums of maps that do not lie alike",
      node: "add_2",
      make: (net) => net.add("Add", [conv(net), net.conv(net.input, [1, 1, 1, 1])]),
    },
  ])("are refused by name: $why", ({ node, make }) => {
    const net = mapGraph([-1, 1, 4, 4], 1);
    const graph = net.finish(make(net), [-1, 2]);
    expect(() => mapModel(graph)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining(`(node "${node}")`),
        hint: expect.stringContaining("CPU board"),
      }),
    );
  });
});

describe("a small file that claims much", () => {
  const tokens = (count: number, width: number) => mapGraph([-1, count, width], 1);
  it.each<{ why: string; graph: () => Graph; says: RegExp }>([
    {
      why: "a row whose softmax takes as many weights as its square",
      graph: () => {
        const net = tokens(3, 65_536);
        const shares = net.add("Softmax", [net.input], { attributes: { axis: -1 } });
        return net.finish(net.add("Relu", [shares]), [-1, 3, 65_536]);
      },
      says: /over 65536 values; FPGA boards take 512/,
    },
    {
      why: "every token with every other",
      graph: () => {
        const net = tokens(200_000, 1);
        const turned = net.add("Transpose", [net.input], { attributes: { perm: [0, 2, 1] } });
        return net.finish(net.add("MatMul", [net.input, turned]), [-1, 200_000, 200_000]);
      },
      says: /makes 40000000000 values/,
    },
    {
      why: "an input",
      graph: () => {
        const net = tokens(2 ** 20, 2 ** 20);
        return net.finish(net.relu(net.input), [-1, 2 ** 20, 2 ** 20]);
      },
      says: /Input "image" has 1099511627776 values/,
    },
    {
      why: "a margin",
      graph: () => {
        const net = mapGraph([-1, 1, 4, 4], 1);
        const wide = net.conv(net.input, [1, 1, 1, 1], { pads: [0, 0, 100_000, 100_000] });
        return net.finish(wide, [-1, 1, 100_004, 100_004]);
      },
      says: /makes 10000800016 values/,
    },
  ])("is refused before anything of that size is made: $why", ({ graph, says }) => {
    expect(() => mapModel(graph())).toThrow(says);
  });
});

describe("several outputs of a model of feature maps", () => {
  /** A net that answers scores under one name, and whatever nodes make of them. */
  function answering(outputs: readonly string[]): Graph {
    const net = mapGraph([-1, 1, 6, 6], 9);
    const hidden = net.relu(net.conv(net.input, [3, 1, 3, 3]));
    const scores = net.dense(hidden, 48, 4);
    const probabilities = net.add("Softmax", [scores], { attributes: { axis: -1 } });
    const label = net.add("ArgMax", [probabilities], { attributes: { axis: -1, keepdims: 0 } });
    const named: Record<string, string> = { scores, probabilities, label, hidden };
    const graph = net.finish(label, [-1]);
    const specs = outputs.map((each) => ({
      name: named[each] ?? "",
      datatype: each === "label" ? ("INT64" as const) : ("FP32" as const),
      shape: each === "label" ? [-1] : [-1, 4],
    }));
    return { ...graph, outputs: specs };
  }
  const lowered = (graph: Graph) => lowerMaps({ graph, inputRange: null, calibration: null });

  it("are made by the host of the same scores", () => {
    const { io, integerGraph } = lowered(answering(["scores", "probabilities", "label"]));
    expect(io.outputs.map(({ activation, size }) => ({ activation, size }))).toEqual([
      { activation: "none", size: 4 },
      { activation: "softmax", size: 4 },
      { activation: "argmax", size: 1 },
    ]);
    expect(io.outputs.every(({ scores }) => scores?.first === 0 && scores.count === 4)).toBe(true);
    expect(integerGraph.output.size).toBe(4);
  });

  it("are refused where one is a map whose channels come first", () => {
    expect(() => lowered(answering(["hidden", "scores"]))).toThrow(
      expect.objectContaining({
        reason: "MODEL_UNSUPPORTED",
        message: expect.stringContaining("End it with a flattened layer"),
      }),
    );
  });
});

describe("a softmax of several rows as the answer", () => {
  it("is summed in hardware up to its last exp, which is the host's", () => {
    const net = mapGraph([-1, 4, 6], 20);
    const scores = net.add("MatMul", [net.input], { weights: [[6, 3]] });
    const shares = net.add("Softmax", [scores], { attributes: { axis: -1 } });
    const graph = net.finish(shares, [-1, 4, 3]);
    const range = { min: Array<number>(24).fill(-1), max: Array<number>(24).fill(1) };
    const { integerGraph, standardisation, io } = lowerMaps({
      graph,
      inputRange: range,
      calibration: null,
    });
    expect(io.outputs[0]).toMatchObject({ shape: [-1, 4, 3], activation: "none" });
    expect(io.outputs[0]?.elementwise?.map(({ operator }) => operator)).toEqual(["Min", "Exp"]);
    const random = randomFrom(7);
    const values = Float64Array.from({ length: 24 }, () => 2 * random.uniform() - 1);
    const { width, fraction } = integerGraph.input;
    const { mean, deviation } = standardisation;
    const sent = values.map((value, at) =>
      quantize((value - (mean[at] ?? 0)) / (deviation[at] ?? 1), { width, fraction, signed: true }),
    );
    const { output } = runIntegerGraph(integerGraph, sent);
    const [wanted] = runGraph(graph, new Map([["image", { shape: [1, 4, 6], values }]])).values();
    for (const [at, score] of output.entries()) {
      const share = Math.exp(Math.min(0, score * 2 ** -integerGraph.output.fraction));
      expect(Math.abs(share - (wanted?.values[at] ?? Number.NaN))).toBeLessThan(0.03);
    }
  });
});

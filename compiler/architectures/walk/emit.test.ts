import { describe, expect, it } from "vitest";
import { attention, attentionNet } from "@/tests/support/compiler/attention-net";
import { withFlippedBit } from "@/tests/support/compiler/flip-bit";
import { imageNet, type MapGraphBuilder, mapGraph } from "@/tests/support/compiler/map-graph";
import { quantizedMapGraph } from "@/tests/support/compiler/quantized-map-graph";
import { type IcarusAnswer, runIcarus } from "@/tests/support/compiler/run-icarus";
import type { Graph } from "../../graph/graph";
import type { IntegerGraph, Tap } from "../../integer/integer-graph";
import { levelTables } from "../../integer/level-tables";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerMaps } from "../../lower/maps";
import { lowerQuantized } from "../../lower/quantized";
import { type Precision, precisions } from "../../passes/precision";
import { type CoreLayout, layOutCore } from "./core-layout";
import { emitMapCore } from "./emit";
import { locateMapShift, locateMapWeight } from "./locate";
import { mapTaps } from "./taps";

const styles = { constants: "block", result: "block", tables: "block" } as const;

interface Built {
  readonly graph: IntegerGraph;
  readonly layout: CoreLayout;
  readonly verilog: string;
  /** In the order of the nodes. */
  readonly taps: readonly Tap[];
  readonly vectors: readonly Int8Array[];
}

function build(float: Graph, lanes: number, precision: Precision = precisions["exact-ish"]): Built {
  const { integerGraph, vectors } = lowerMaps({
    graph: float,
    inputRange: null,
    calibration: null,
    precision,
  });
  return builtOf(levelTables(integerGraph), lanes, vectors());
}

function builtOf(graph: IntegerGraph, lanes: number, vectors: readonly Int8Array[]): Built {
  const layout = layOutCore(graph, lanes);
  const taps = mapTaps(layout.sweeps, layout.schedule);
  return {
    graph,
    layout,
    verilog: emitMapCore(layout, styles),
    taps: graph.nodes.flatMap(({ name }) => taps.filter(({ node }) => node === name)),
    vectors,
  };
}

const spread = (rows: readonly Int8Array[], count: number) =>
  rows.filter((_, at) => at % Math.ceil(rows.length / count) === 0);

function run(
  { graph, taps, layout }: Built,
  verilog: string,
  rows: readonly Int8Array[],
  stall = false,
) {
  const watch = [...new Set(taps.map(({ signal }) => signal))];
  const bytesPerOutput = layout.resultBits / 8;
  return runIcarus(verilog, rows, { watch, outputs: graph.output.size, bytesPerOutput, stall });
}

/** The first element of the first node, in order, whose tap does not show what the integer graph says. */
function firstDifference({ graph, taps }: Built, row: Int8Array, answer: IcarusAnswer) {
  const { nodes } = runIntegerGraph(graph, row);
  const wrong = taps.find(({ node, element, signal, cycle }) => {
    const wanted = nodes.get(node)?.[element] ?? Number.NaN;
    const shown = answer.traces.get(signal)?.[cycle] ?? Number.NaN;
    // What is stored has no sign in the text of the core.
    return signal === "tap_pool" ? (shown & 255) !== (wanted & 255) : shown !== wanted;
  });
  return wrong ? `${wrong.node}[${wrong.element}]` : null;
}

function expectEqual(built: Built, rows: readonly Int8Array[], stall = false) {
  for (const [index, answer] of run(built, built.verilog, rows, stall).entries()) {
    const row = rows[index] ?? new Int8Array();
    expect({ index, first: firstDifference(built, row, answer) }).toEqual({ index, first: null });
    expect(Array.from(answer.values)).toEqual(Array.from(runIntegerGraph(built.graph, row).output));
    expect(answer.cycles).toBe(built.layout.schedule.latencyCycles);
  }
}

const two = { kernel_shape: [2, 2], strides: [2, 2] };
const batchNorm = (net: MapGraphBuilder, from: string, channels: number) =>
  net.add("BatchNormalization", [from], {
    weights: [[channels], [channels], [channels], [channels]],
    positive: true,
  });

/** Small nets, each with something of its own. */
const nets: readonly { readonly why: string; readonly graph: () => Graph }[] = [
  {
    why: "padding, strides and a bias on every side",
    graph: () => {
      const net = mapGraph([-1, 2, 7, 6], 3);
      const one = net.relu(
        net.conv(net.input, [5, 2, 3, 3], { pads: [1, 1, 1, 1], strides: [2, 1] }),
      );
      return net.finish(net.dense(one, 5 * 4 * 6, 3), [-1, 3]);
    },
  },
  {
    why: "uneven padding by auto_pad, two dilations",
    graph: () => {
      const net = mapGraph([-1, 1, 9, 8], 4);
      const one = net.relu(net.conv(net.input, [3, 1, 3, 2], { auto_pad: "SAME_UPPER" }));
      const second = net.conv(one, [4, 3, 2, 3], { dilations: [3, 2] });
      return net.finish(net.dense(second, 4 * 6 * 4, 2), [-1, 2]);
    },
  },
  {
    why: "signals of one dimension",
    graph: () => {
      const net = mapGraph([-1, 3, 20], 5);
      const one = net.relu(net.conv(net.input, [6, 3, 5], { pads: [2, 2] }));
      const pooled = net.add("MaxPool", [one], { attributes: { kernel_shape: [2], strides: [2] } });
      return net.finish(net.dense(pooled, 60, 4), [-1, 4]);
    },
  },
  {
    why: "depthwise and pointwise layers with normalisation",
    graph: () => {
      const net = mapGraph([-1, 4, 6, 6], 6);
      const deep = net.conv(net.input, [4, 1, 3, 3], { group: 4, pads: [1, 1, 1, 1] });
      const one = net.relu(batchNorm(net, deep, 4));
      const point = net.relu(batchNorm(net, net.conv(one, [11, 4, 1, 1]), 11));
      const mean = net.add("GlobalAveragePool", [point]);
      return net.finish(net.dense(mean, 11, 3), [-1, 3]);
    },
  },
  {
    why: "groups of several channels",
    graph: () => {
      const net = mapGraph([-1, 6, 5, 5], 7);
      const one = net.relu(net.conv(net.input, [15, 2, 2, 2], { group: 3 }));
      return net.finish(net.dense(one, 15 * 16, 2), [-1, 2]);
    },
  },
  {
    why: "a residual sum with a sign on one side",
    graph: () => {
      const net = mapGraph([-1, 3, 6, 5], 8);
      const same = { pads: [1, 1, 1, 1] };
      const one = net.relu(net.conv(net.input, [4, 3, 3, 3], same));
      const inner = net.conv(net.relu(net.conv(one, [4, 4, 3, 3], same)), [4, 4, 3, 3], same);
      const sum = net.relu(net.add("Add", [one, inner]));
      return net.finish(net.dense(sum, 120, 5), [-1, 5]);
    },
  },
  {
    why: "maps beside each other, pooled with overlap and padding",
    graph: () => {
      const net = mapGraph([-1, 2, 8, 8], 9);
      const left = net.relu(net.conv(net.input, [3, 2, 1, 1]));
      const right = net.conv(net.input, [5, 2, 3, 3], { pads: [1, 1, 1, 1] });
      const both = net.add("Concat", [left, right], { attributes: { axis: 1 } });
      const attributes = { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] };
      const pooled = net.add("MaxPool", [both], { attributes });
      return net.finish(net.dense(pooled, 128, 3), [-1, 3]);
    },
  },
  {
    why: "an average of windows, without activations",
    graph: () => {
      const net = mapGraph([-1, 2, 6, 6], 10);
      const one = net.conv(net.input, [3, 2, 3, 3]);
      const mean = net.add("AveragePool", [one], { attributes: two });
      const most = net.add("GlobalMaxPool", [net.conv(mean, [7, 3, 2, 2])]);
      return net.finish(net.dense(most, 7, 2), [-1, 2]);
    },
  },
  {
    why: "pooling of the input first, an offset per channel behind it",
    graph: () => {
      const net = mapGraph([-1, 2, 6, 6], 11);
      const pooled = net.add("MaxPool", [net.input], { attributes: two });
      const shifted = net.relu(net.add("Mul", [pooled], { weights: [[2, 1, 1]] }));
      return net.finish(net.dense(shifted, 18, 3), [-1, 3]);
    },
  },
  {
    why: "functions of several layers beside a ReLU, one of them pooled",
    graph: () => {
      const net = mapGraph([-1, 2, 6, 6], 12);
      const one = net.add("Tanh", [net.conv(net.input, [3, 2, 3, 3], { pads: [1, 1, 1, 1] })]);
      const pooled = net.add("MaxPool", [one], { attributes: two });
      const second = net.relu(net.conv(pooled, [5, 3, 2, 2]));
      const third = net.add("LeakyRelu", [net.conv(second, [4, 5, 1, 1])], {
        attributes: { alpha: 0.2 },
      });
      return net.finish(net.dense(third, 16, 3), [-1, 3]);
    },
  },
  {
    why: "a function of a residual sum, one of the input, and one that reads its operand twice",
    graph: () => {
      const net = mapGraph([-1, 2, 5, 5], 13);
      const same = { pads: [1, 1, 1, 1] };
      const first = net.add("Elu", [net.input]);
      const one = net.conv(first, [3, 2, 3, 3], same);
      const swish = net.add("Mul", [one, net.add("Sigmoid", [one])]);
      const sum = net.add("HardSwish", [
        net.add("Add", [swish, net.conv(swish, [3, 3, 3, 3], same)]),
      ]);
      return net.finish(net.dense(sum, 75, 4), [-1, 4]);
    },
  },
  {
    why: "attention of two heads, with a residual sum of the input",
    graph: () => attentionNet({ tokens: 5, width: 6, heads: 2 }),
  },
  {
    why: "attention whose keys take more than one row of weights, and of one head",
    graph: () => attentionNet({ tokens: 11, width: 4, heads: 1, seed: 6 }),
  },
  {
    why: "rows normalised behind attention",
    graph: () => {
      const net = mapGraph([-1, 7, 6], 19);
      const sum = net.add("Add", [
        net.input,
        attention(net, net.input, { tokens: 7, width: 6, heads: 3 }),
      ]);
      const rows = net.add("LayerNormalization", [sum], { weights: [[6], [6]], positive: true });
      return net.finish(net.dense(net.relu(rows), 42, 3), [-1, 3]);
    },
  },
  {
    why: "products that are pooled, added and answered, and a softmax between layers",
    graph: () => {
      const net = mapGraph([-1, 3, 4], 14);
      const shares = net.add("Softmax", [net.add("MatMul", [net.input], { weights: [[4, 4]] })]);
      const turned = net.add("Transpose", [net.input], { attributes: { perm: [0, 2, 1] } });
      const gram = net.add("MatMul", [net.input, turned]);
      const mixed = net.relu(net.add("MatMul", [gram, net.add("MatMul", [gram, shares])]));
      return net.finish(net.add("MatMul", [mixed, turned]), [-1, 3, 3]);
    },
  },
];

describe("the emitted core of feature maps in Icarus", { timeout: 120_000 }, () => {
  it.each(nets.flatMap((net) => [8, 3].map((lanes) => ({ ...net, lanes }))))(
    "equals the integer graph at every tap: $why, $lanes lanes",
    ({ graph, lanes }) => {
      const built = build(graph(), lanes);
      expectEqual(built, spread(built.vectors, 8));
    },
  );

  it.each([
    { width: 8, lanes: 8, why: "lines of whole pairs" },
    { width: 9, lanes: 8, why: "the last pixel of a line alone" },
    { width: 9, lanes: 6, why: "more channels than half of the lanes further on" },
  ])("sums two pixels at once: $why", ({ width, lanes }) => {
    const net = mapGraph([-1, 1, 7, width], 5);
    const one = net.relu(net.conv(net.input, [3, 1, 3, 3], { pads: [1, 1, 1, 1] }));
    const second = net.relu(net.conv(one, [4, 3, 2, 2]));
    const pooled = net.add("MaxPool", [second], { attributes: two });
    const deep = net.conv(pooled, [4, 1, 2, 2], { group: 4 });
    const size = 4 * 2 * (width === 8 ? 2 : 3);
    const built = build(net.finish(net.dense(deep, size, 3), [-1, 3]), lanes);
    expect(built.layout.hasPairs).toBe(true);
    expectEqual(built, spread(built.vectors, 8));
  });

  it.each([8, 3])(
    "does so on grids of a model's own: every rounding and bound, %i lanes",
    (lanes) => {
      const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 8 });
      const grid = (type: "INT8" | "UINT8", fraction: number, zero = 0) => ({
        type,
        fraction,
        zero,
      });
      const same = { pads: [1, 1, 1, 1] };
      const image = net.stop(net.input, grid("UINT8", 4, 100));
      const sums = net.conv(image, [4, 2, 3, 3], {
        fraction: 4,
        attributes: same,
        floatBias: true,
      });
      const one = net.stop(net.add("MaxPool", [sums], two), grid("UINT8", 2, 37));
      const inner = net.conv(one, [4, 4, 3, 3], { fraction: 2, attributes: same });
      const left = net.stop(inner, grid("INT8", 0, -3));
      const sum = net.stop(net.add("Relu", [net.add("Add", [left, one])]), grid("UINT8", -1));
      const curve = net.stop(net.conv(sum, [3, 4, 2, 2], { fraction: -1 }), grid("INT8", -4));
      const looked = net.stop(net.add("Sigmoid", [curve]), grid("UINT8", 8));
      const scores = net.conv(net.add("Flatten", [looked]), [3, 12], { fraction: 8 });
      const { integerGraph, vectors } = lowerQuantized(net.finish(scores, [-1, 3]));
      const requantize = integerGraph.nodes.filter((node) => node.op === "requantize");
      expect(new Set(requantize.map(({ rounding }) => rounding))).toEqual(
        new Set(["half-odd", "half-even", undefined]),
      );
      const built = builtOf(levelTables(integerGraph), lanes, vectors());
      expectEqual(built, spread(built.vectors, 12));
    },
  );

  it("does so for a sum of a signed and an unsigned map, and names a fault in it", () => {
    const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 9 });
    const same = { pads: [1, 1, 1, 1] };
    const image = net.stop(net.input, { type: "INT8", fraction: 5, zero: 0 });
    const first = net.conv(image, [4, 2, 3, 3], { fraction: 5, attributes: same });
    const one = net.stop(net.add("Relu", [first]), { type: "UINT8", fraction: 4, zero: 0 });
    const inner = net.conv(one, [4, 4, 3, 3], { fraction: 4, attributes: same });
    const other = net.stop(inner, { type: "INT8", fraction: 2, zero: 0 });
    const sum = net.stop(net.add("Add", [one, other]), { type: "UINT8", fraction: 2, zero: 0 });
    const scores = net.conv(net.add("Flatten", [sum]), [3, 144], { fraction: 2 });
    const { integerGraph, vectors } = lowerQuantized(net.finish(scores, [-1, 3]));
    const built = builtOf(levelTables(integerGraph), 4, vectors());
    const rows = spread(built.vectors, 12);
    expectEqual(built, rows);
    const place = locateMapWeight(built.layout, { node: inner, channel: 1, step: 3 });
    const answers = run(
      built,
      withFlippedBit(built.verilog, { ...place, bit: place.bit + 2 }),
      rows,
    );
    const found = rows.map((row, at) => firstDifference(built, row, answers[at] as IcarusAnswer));
    const names = new Set(found.flatMap((each) => (each ? [each.split("[")[0]] : [])));
    expect(names).toEqual(new Set([inner]));
  });

  it("does so with a single lane", () => {
    const [first] = nets;
    if (!first) throw new Error("there is no net");
    const built = build(first.graph(), 1);
    expectEqual(built, spread(built.vectors, 8));
  });

  it("does so with narrow numbers, and with slow partners", () => {
    const float = nets[5]?.graph();
    if (!float) throw new Error("there is no such net");
    const built = build(float, 5, precisions.smallest);
    expectEqual(built, spread(built.vectors, 12), true);
  });

  it("takes 28 × 28 images through 8 lanes in fewer cycles than the sizing tables say", () => {
    const small = build(imageNet([4, 8]), 8);
    expectEqual(small, small.vectors.slice(2, 3));
    expect(small.layout.schedule.latencyCycles).toBeLessThan(8_300);
    expect(layOutCore(build(imageNet([8, 16]), 8).graph, 8).schedule.latencyCycles).toBeLessThan(
      25_300,
    );
  });
});

describe("one fault in a core of feature maps", { timeout: 120_000 }, () => {
  const net = () => {
    const one = mapGraph([-1, 2, 8, 8], 12);
    const first = one.relu(one.conv(one.input, [5, 2, 3, 3]));
    const pooled = one.add("MaxPool", [first], { attributes: two });
    const second = one.conv(pooled, [12, 5, 2, 2]);
    return one.finish(one.dense(second, 48, 3), [-1, 3]);
  };
  const built = build(net(), 4);
  const sums = built.graph.nodes.flatMap((node) => (node.op === "convolution" ? [node.name] : []));

  it.each(sums)("in a weight of %s is named as its sum", (node) => {
    const place = locateMapWeight(built.layout, { node, channel: 2, step: 3 });
    const rows = spread(built.vectors, 8);
    const answers = run(
      built,
      withFlippedBit(built.verilog, { ...place, bit: place.bit + 2 }),
      rows,
    );
    const found = rows.map((row, at) => firstDifference(built, row, answers[at] as IcarusAnswer));
    const names = new Set(found.flatMap((each) => (each ? [each.split("[")[0]] : [])));
    expect(names).toEqual(new Set([node]));
  });

  it.each(sums)("in a shift of %s is named as its requantisation", (node) => {
    const place = locateMapShift(built.layout, { node, channel: 1 });
    const rows = spread(built.vectors, 8);
    const answers = run(built, withFlippedBit(built.verilog, place), rows);
    const found = rows.map((row, at) => firstDifference(built, row, answers[at] as IcarusAnswer));
    const names = new Set(found.flatMap((each) => (each ? [each.split("[")[0]] : [])));
    expect(names).toEqual(new Set([`${node}/requantize`]));
  });

  it("in pooling is named as the pool", () => {
    const broken = built.verilog.replace("(first[11] | larger)", "(first[11] | ~larger)");
    expect(broken).not.toBe(built.verilog);
    const rows = spread(built.vectors, 8);
    const answers = run(built, broken, rows);
    const found = rows.map((row, at) => firstDifference(built, row, answers[at] as IcarusAnswer));
    const names = new Set(found.flatMap((each) => (each ? [each.split("_")[0]] : [])));
    expect(names).toEqual(new Set(["maxpool"]));
  });
});

describe("the text of a core of feature maps", () => {
  it("is the same for equal graphs and holds no time, path or version", { timeout: 30_000 }, () => {
    const emit = () => build(imageNet([2, 3]), 4).verilog;
    expect(emit()).toBe(emit());
    expect(emit()).not.toMatch(/\/tmp|\/home|20\d\d-/);
  });
});

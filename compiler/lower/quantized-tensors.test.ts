import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { corePortOf, decodeRows, encodeRows } from "@/lib/common/core-io";
import { isAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { coreFor } from "@/tests/support/compiler/core-for";
import type { Stop } from "@/tests/support/compiler/quantized-graph";
import {
  type QuantizedMapGraphBuilder,
  quantizedMapGraph,
} from "@/tests/support/compiler/quantized-map-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { exportOnnx } from "../export-onnx";
import { runnableOnnx } from "../export-onnx/runnable-onnx";
import { parseOnnx } from "../frontends/onnx";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runGraph } from "../operators/run-graph";
import { type Random, randomFrom } from "../random";
import { targetOf } from "../target/part";
import { lowerQuantized } from "./quantized";

const signed = (fraction: number, bits = 8): Stop => ({ type: "INT8", zero: 0, fraction, bits });
const unsigned = (fraction: number, zero = 0, bits = 8): Stop => ({
  type: "UINT8",
  zero,
  fraction,
  bits,
});
const join = (net: QuantizedMapGraphBuilder, parts: readonly string[]) =>
  net.add("Concat", parts, { axis: 1 });
/** A dense layer, ReLU and a grid. */
const hidden = (
  net: QuantizedMapGraphBuilder,
  value: string,
  [inputs, outputs]: readonly [number, number],
  [from, to]: readonly [number, number],
) =>
  net.stop(net.add("Relu", [net.conv(value, [outputs, inputs], { fraction: from })]), unsigned(to));

interface Model {
  readonly why: string;
  readonly spelling?: "qonnx";
  readonly architecture: "unrolled" | "array" | "walk";
  readonly build: (net: QuantizedMapGraphBuilder) => Graph;
}

const models: readonly Model[] = [
  {
    why: "a grid for each of two inputs side by side in one dense layer",
    architecture: "unrolled",
    build: (net) => {
      const both = join(net, [net.stop("a", unsigned(3, 100)), net.stop("b", signed(5))]);
      const one = hidden(net, both, [8, 6], [3, 0]);
      return net.finishWith(
        { a: [3], b: [5] },
        { [net.stop(net.conv(one, [3, 6], { fraction: 0 }), signed(-2))]: [3] },
      );
    },
  },
  {
    why: "inputs of 4 and 8 bits, in another order, and one that nothing reads",
    spelling: "qonnx",
    architecture: "unrolled",
    build: (net) => {
      const few = net.stop("a", unsigned(2, 0, 4));
      const both = join(net, [net.stop("b", signed(5)), few]);
      const one = hidden(net, both, [8, 6], [2, 0]);
      return net.finishWith(
        { a: [3], idle: [2], b: [5] },
        { [net.conv(one, [3, 6], { fraction: 0 })]: [3] },
      );
    },
  },
  {
    why: "one grid for all inputs",
    architecture: "unrolled",
    build: (net) => {
      const one = hidden(net, net.stop(join(net, ["b", "a"]), signed(4)), [8, 6], [4, 0]);
      return net.finishWith({ a: [3], b: [5] }, { [net.conv(one, [3, 6], { fraction: 0 })]: [3] });
    },
  },
  {
    why: "a tower for each input",
    architecture: "walk",
    build: (net) => {
      const left = hidden(net, net.stop("a", unsigned(3, 20)), [4, 5], [3, 0]);
      const right = hidden(net, net.stop("b", signed(6)), [3, 4], [6, 0]);
      const both = hidden(net, join(net, [left, right]), [9, 5], [0, -3]);
      return net.finishWith(
        { a: [4], b: [3] },
        { [net.conv(both, [2, 5], { fraction: -3 })]: [2] },
      );
    },
  },
  {
    why: "inputs of unlike grids that are joined and put onto another one",
    architecture: "walk",
    build: (net) => {
      const both = join(net, [net.stop("a", unsigned(3, 20)), net.stop("b", signed(5))]);
      const one = hidden(net, net.stop(both, signed(4)), [7, 5], [4, 0]);
      return net.finishWith({ a: [4], b: [3] }, { [net.conv(one, [2, 5], { fraction: 0 })]: [2] });
    },
  },
  {
    why: "an image and numbers beside it",
    architecture: "walk",
    build: (net) => {
      const padded = { pads: [1, 1, 1, 1] };
      const image = net.stop("image", unsigned(4, 30));
      const seen = net.conv(image, [3, 2, 3, 3], { fraction: 4, attributes: padded });
      const map = net.stop(net.add("Relu", [seen]), unsigned(0));
      const pool = { kernel_shape: [2, 2], strides: [2, 2] };
      const flat = net.add("Flatten", [net.add("MaxPool", [map], pool)], { axis: 1 });
      const one = hidden(net, flat, [12, 4], [0, -3]);
      const told = hidden(net, net.stop("few", signed(4)), [3, 4], [4, -3]);
      return net.finishWith(
        { few: [3], image: [2, 4, 4] },
        { [net.conv(join(net, [one, told]), [3, 8], { fraction: -3 })]: [3] },
      );
    },
  },
  {
    why: "the sum of two inputs",
    architecture: "walk",
    build: (net) => {
      const sum = net.add("Add", [net.stop("a", signed(5)), net.stop("b", unsigned(3, 9))]);
      const one = hidden(net, net.stop(sum, signed(3)), [4, 5], [3, 0]);
      return net.finishWith({ a: [4], b: [4] }, { [net.conv(one, [2, 5], { fraction: 0 })]: [2] });
    },
  },
  {
    why: "functions of one input, joined with the other",
    architecture: "walk",
    build: (net) => {
      const bent = net.stop(net.add("Tanh", [net.stop("a", signed(5))]), signed(7));
      const both = join(net, [bent, net.stop("b", signed(7))]);
      const one = hidden(net, both, [7, 5], [7, 0]);
      return net.finishWith({ a: [4], b: [3] }, { [net.conv(one, [2, 5], { fraction: 0 })]: [2] });
    },
  },
  {
    why: "two outputs of one hidden layer",
    architecture: "unrolled",
    build: (net) => {
      const both = join(net, [net.stop("a", signed(4)), net.stop("b", signed(5))]);
      const one = hidden(net, both, [7, 5], [4, 0]);
      const scores = net.conv(one, [3, 5], { fraction: 0 });
      const value = net.conv(one, [1, 5], { fraction: 0 });
      return net.finishWith({ a: [4], b: [3] }, { [scores]: [3], [value]: [1] });
    },
  },
  {
    why: "outputs of layers at different depths, on one grid",
    architecture: "walk",
    build: (net) => {
      const one = hidden(net, net.stop("a", signed(4)), [4, 6], [4, -1]);
      const two = hidden(net, one, [6, 5], [-1, -1]);
      const scores = net.conv(two, [3, 5], { fraction: -1 });
      const value = net.conv(one, [2, 6], { fraction: -1 });
      return net.finishWith({ a: [4] }, { [scores]: [3], [value]: [2] });
    },
  },
];

const graphOf = ({ build, spelling }: Model): Graph =>
  build(quantizedMapGraph([-1, 1], { seed: 9, ...(spelling ? { spelling } : {}) }));

const sizeOf = (shape: readonly number[], rows = 1) =>
  shape.slice(1).reduce((product, each) => product * each, rows);

function rowsOf({ inputs }: Graph, count: number, random: Random): Tensor[] {
  return inputs.map(({ name, shape }) => {
    const data = Float32Array.from({ length: sizeOf(shape, count) }, () =>
      Math.fround(random.normal() * 8),
    );
    return { name, datatype: "FP32", shape: [count, ...shape.slice(1)], data };
  });
}

/** What the host makes of rows with the integer graph between its encoding and its decoding. */
function hosted(
  { integerGraph, io }: ReturnType<typeof lowerQuantized>,
  inputs: readonly Tensor[],
) {
  const core = corePortOf(integerGraph, 1);
  const { bytes, count } = encodeRows(io, core, inputs);
  const answers = Array.from({ length: count }, (_, row) => {
    const sent = new Int8Array(bytes.buffer, row * core.inputBytes, core.inputBytes);
    return Array.from(runIntegerGraph(integerGraph, sent).output);
  });
  const words = integerGraph.output.width === 16 ? Int16Array : Int32Array;
  return decodeRows(io, core, new Uint8Array(words.from(answers.flat()).buffer), count);
}

/** The float interpreter's answers, as float32. */
function interpreted(graph: Graph, inputs: readonly Tensor[]): Map<string, number[]> {
  const feeds = inputs.map(({ name, shape, data }) => {
    return [name, { shape, values: Float64Array.from(data as Float32Array) }] as const;
  });
  return new Map(
    [...runGraph(graph, new Map(feeds))].map(([name, { values }]) => [
      name,
      Array.from(values, (value) => Math.fround(value) + 0),
    ]),
  );
}

const numbersOf = ({ data }: Tensor) => Array.from(data as Float32Array, (value) => value + 0);

describe("several inputs and outputs of a quantised model", () => {
  it.each(models)("answer ONNX Runtime's own bits: $why", async (model) => {
    const graph = model.spelling ? graphOf(model) : parseOnnx(exportOnnx(graphOf(model)));
    const inputs = rowsOf(graph, 60, randomFrom(4));
    const session = await InferenceSession.create(runnableOnnx(exportOnnx(graph), graph), {
      logSeverityLevel: 3,
      graphOptimizationLevel: "disabled",
    });
    const feeds = inputs
      .filter(({ name }) => session.inputNames.includes(name))
      .map(({ name, data, shape }) => [
        name,
        new OrtTensor("float32", data as Float32Array, [...shape]),
      ]);
    const wanted = await session.run(Object.fromEntries(feeds));
    const made = hosted(lowerQuantized(graph), inputs);
    expect(made.map(({ name }) => name)).toEqual(graph.outputs.map(({ name }) => name));
    for (const output of made) {
      const judged = Array.from(wanted[output.name]?.data as Float32Array, (value) => value + 0);
      expect(numbersOf(output)).toEqual(judged);
      expect(new Set(judged).size).toBeGreaterThan(8);
    }
  });

  it.each(models)("are a core that streams them: $why", { timeout: 120_000 }, (model) => {
    const made = coreFor(graphOf(model), targetOf(getBoardModel("ulx3s-85f")), {});
    expect(made.architecture).toBe(model.architecture);
    const { integerGraph, vectors } = lowerQuantized(graphOf(model));
    const rows = [...vectors().slice(0, 8), ...vectors().slice(-8)];
    const answers = runIcarus(made.verilog, rows, {
      outputs: integerGraph.output.size,
      bytesPerOutput: integerGraph.output.width / 8,
    });
    const wanted = rows.map((row) => Array.from(runIntegerGraph(integerGraph, row).output));
    expect(answers.map(({ values }) => Array.from(values))).toEqual(wanted);
  });

  it.each<{ why: string; build: (net: QuantizedMapGraphBuilder) => Graph; words: RegExp }>([
    {
      why: "an input that is read without its grid too",
      build: (net) => {
        const one = net.conv(net.stop("a", signed(4)), [3, 4], { fraction: 4 });
        const two = net.conv(join(net, ["b", "a"]), [3, 7], { fraction: 4 });
        const both = join(net, [net.stop(one, signed(0)), net.stop(two, signed(0))]);
        return net.finishWith(
          { a: [4], b: [3] },
          { [net.conv(both, [2, 6], { fraction: 0 })]: [2] },
        );
      },
      words: /reads the input beside its quantiser/,
    },
    {
      why: "an input on two grids",
      build: (net) => {
        const both = join(net, [net.stop("a", signed(4)), net.stop("b", signed(5))]);
        const one = net.stop(net.conv(both, [3, 7], { fraction: 4 }), signed(0));
        const two = net.stop(
          net.conv(net.stop("a", signed(3)), [3, 4], { fraction: 3 }),
          signed(0),
        );
        return net.finishWith(
          { a: [4], b: [3] },
          { [net.conv(join(net, [one, two]), [2, 6], { fraction: 0 })]: [2] },
        );
      },
      words: /puts inputs onto another grid, or rounds otherwise, than a node before/,
    },
    {
      why: "grids too far apart for one layer",
      build: (net) => {
        const both = join(net, [net.stop("a", signed(14)), net.stop("b", signed(1))]);
        return net.finishWith(
          { a: [4], b: [3] },
          { [net.conv(both, [2, 7], { fraction: 1 })]: [2] },
        );
      },
      words: /no multiples of one power of two, within 16 bits/,
    },
    {
      why: "a function of inputs on unlike grids",
      build: (net) => {
        const both = join(net, [net.stop("a", signed(4)), net.stop("b", signed(5))]);
        const bent = net.stop(net.add("Tanh", [both]), signed(6));
        const one = net.stop(net.conv(both, [2, 7], { fraction: 4 }), signed(6));
        return net.finishWith(
          { a: [4], b: [3] },
          { [net.conv(join(net, [bent, one]), [2, 9], { fraction: 6 })]: [2] },
        );
      },
      words: /works on inputs of unlike grids beside each other/,
    },
  ])("are refused by name: $why", ({ build, words }) => {
    const graph = build(quantizedMapGraph([-1, 1], { seed: 9 }));
    expect(() => lowerQuantized(graph)).toThrow(
      expect.objectContaining({
        reason: "QUANTIZER_INVALID",
        message: expect.stringMatching(words),
      }),
    );
  });
});

/** A legal model by chance: inputs on grids of their own, which meet before, behind or without layers of their own. */
function randomModel(seed: number): Graph {
  const random = randomFrom(seed);
  const spelling = random.integer(0, 1) === 0 ? "onnx" : "qonnx";
  const net = quantizedMapGraph([-1, 1], { seed, spelling });
  const pick = <Each>(list: readonly Each[]): Each =>
    list[random.integer(0, list.length - 1)] as Each;
  const grid = (): Stop => {
    const fraction = random.integer(1, 6);
    const bits = spelling === "qonnx" ? random.integer(3, 8) : 8;
    if (random.integer(0, 1) === 0) return signed(fraction, bits);
    return unsigned(fraction, spelling === "onnx" ? random.integer(0, 255) : 0, bits);
  };
  const alike = grid();
  const size = random.integer(1, 4);
  const inputs = Array.from({ length: random.integer(2, 3) }, (_, at) => {
    const own = random.integer(0, 1) === 0 ? alike : grid();
    const shape = [random.integer(0, 1) === 0 ? size : random.integer(1, 4)];
    return { name: `in${at}`, own, shape };
  });
  const image = { name: "image", own: grid(), shape: [2, 4, 4] };
  const all = random.integer(0, 3) === 0 ? [...inputs, image] : inputs;
  const low = -random.integer(0, 3);
  const layerOn = ({ name, own, shape: [count = 1, height] }: (typeof all)[number]) => {
    const { fraction } = own;
    const value = net.stop(name, own);
    if (height === undefined) return hidden(net, value, [count, 4], [fraction, low]);
    const seen = net.conv(value, [4, count, 3, 3], {
      fraction,
      attributes: { pads: [1, 1, 1, 1], strides: [2, 2] },
    });
    const map = net.stop(net.add("Relu", [seen]), unsigned(low));
    return net.add("GlobalMaxPool", [map]);
  };
  const flat = (value: string, { shape }: (typeof all)[number]) =>
    shape.length === 1 ? value : net.add("Flatten", [value], { axis: 1 });
  const kind = pick(["joined", "towers", "mixed", "requantised", "sum"]);
  const firstTwo = inputs.slice(0, 2);
  let value: string;
  let width: number;
  let fraction: number;
  if (kind === "towers" || all.length > inputs.length) {
    value = join(
      net,
      all.map((each) => flat(layerOn(each), each)),
    );
    [width, fraction] = [4 * all.length, low];
  } else if (kind === "sum" && firstTwo.every(({ shape: [count] }) => count === size)) {
    const sum = net.add(
      "Add",
      firstTwo.map(({ name, own }) => net.stop(name, own)),
    );
    [width, fraction] = [size, random.integer(0, 4)];
    value = net.stop(sum, signed(fraction));
  } else {
    const parts = inputs.map(({ name, own }) => net.stop(name, own));
    const joined = join(net, parts);
    width = inputs.reduce((sum, { shape: [count = 0] }) => sum + count, 0);
    fraction = Math.min(...inputs.map(({ own }) => own.fraction));
    value = joined;
    if (kind === "requantised") {
      fraction = random.integer(0, 4);
      value = net.stop(joined, signed(fraction));
    } else if (kind === "mixed") {
      const [first] = inputs;
      const own = first ? layerOn(first) : "";
      const more = hidden(net, joined, [width, 4], [fraction, low]);
      value = join(net, [own, more]);
      [width, fraction] = [8, low];
    }
  }
  const last = hidden(net, value, [width, 5], [fraction, low]);
  const scores = net.conv(last, [3, 5], { fraction: low });
  const shapes = Object.fromEntries(
    pick([all, all.toReversed()]).map(({ name, shape }) => [name, shape]),
  );
  const second =
    random.integer(0, 2) === 0 ? { [net.conv(last, [2, 5], { fraction: low })]: [2] } : {};
  return net.finishWith(shapes, { [scores]: [3], ...second });
}

/** What may be refused of such models: too wide for what the walk holds, or grids that cannot stand beside each other. */
const refusals =
  /has weights of more than 8 bits|bits coarser than the sums|unlike grids|within 16 bits|more than 64 times apart|signed values with unsigned ones/;

describe("any quantised model of several inputs", () => {
  it("answers as the float model does, bit for bit, or is refused by name", {
    timeout: 120_000,
  }, () => {
    const count = 80;
    let taken = 0;
    for (let seed = 0; seed < count; seed++) {
      const graph = randomModel(seed);
      const lowered = loweredOrRefused(graph);
      if (!lowered) continue;
      taken++;
      for (const row of lowered.vectors().slice(0, 200)) runIntegerGraph(lowered.integerGraph, row);
      const inputs = rowsOf(graph, 20, randomFrom(seed));
      const wanted = interpreted(graph, inputs);
      for (const output of hosted(lowered, inputs)) {
        expect(numbersOf(output), `seed ${seed}`).toEqual(wanted.get(output.name));
      }
    }
    expect(taken).toBeGreaterThan(count / 2);
  });
});

function loweredOrRefused(graph: Graph): ReturnType<typeof lowerQuantized> | null {
  try {
    return lowerQuantized(graph);
  } catch (error) {
    if (isAppError(error) && refusals.test(error.message)) return null;
    throw error;
  }
}

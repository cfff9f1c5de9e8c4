import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { decodeRows, encodeRows } from "@/lib/common/core-io";
import type { Tensor } from "@/lib/common/tensor";
import { coreFor } from "@/tests/support/compiler/core-for";
import { type MapGraphBuilder, mapGraph } from "@/tests/support/compiler/map-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { lower } from "../flows";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runGraph } from "../operators/run-graph";
import { randomFrom } from "../random";
import { targetOf } from "../target/part";

type Shapes = Readonly<Record<string, readonly number[]>>;

/** A graph with inputs and outputs of these shapes, a row of each. */
function graphOf(
  inputs: Shapes,
  build: (net: MapGraphBuilder) => Readonly<Record<string, readonly number[]>>,
): Graph {
  const net = mapGraph([-1, 1], 21);
  const outputs = build(net);
  const spec = ([name, shape]: [string, readonly number[]]) => ({
    name,
    datatype: "FP32" as const,
    shape: [-1, ...shape],
  });
  return {
    ...net.finish("", []),
    inputs: Object.entries(inputs).map(spec),
    outputs: Object.entries(outputs).map(spec),
  };
}

const join = (net: MapGraphBuilder, parts: readonly string[]) =>
  net.add("Concat", parts, { attributes: { axis: 1 } });
const softmax = (net: MapGraphBuilder, from: string) =>
  net.add("Softmax", [from], { attributes: { axis: -1 } });

interface Model {
  readonly why: string;
  readonly kind: "dense" | "maps";
  readonly graph: () => Graph;
}

const models: readonly Model[] = [
  {
    why: "two inputs side by side in one dense layer",
    kind: "dense",
    graph: () =>
      graphOf({ a: [3], b: [5] }, (net) => {
        const one = net.relu(net.dense(join(net, ["a", "b"]), 8, 6));
        return { [net.dense(one, 6, 4)]: [4] };
      }),
  },
  {
    why: "inputs in another order, one of them scaled by the model",
    kind: "dense",
    graph: () =>
      graphOf({ a: [3], b: [5], c: [2] }, (net) => {
        const scaled = net.add("Mul", ["b"], { weights: [[5]], positive: true });
        const one = net.relu(net.dense(join(net, ["c", scaled, "a"]), 10, 6));
        return { [net.dense(one, 6, 3)]: [3] };
      }),
  },
  {
    why: "a class and a value of the same hidden layer",
    kind: "dense",
    graph: () =>
      graphOf({ a: [6] }, (net) => {
        const one = net.relu(net.dense("a", 6, 8));
        const two = net.relu(net.dense(one, 8, 7));
        return {
          [softmax(net, net.dense(two, 7, 3))]: [3],
          [net.add("Tanh", [net.dense(two, 7, 2)])]: [2],
        };
      }),
  },
  {
    why: "scores beside the hidden layer that they are made of",
    kind: "dense",
    graph: () =>
      graphOf({ a: [6] }, (net) => {
        const one = net.relu(net.dense("a", 6, 8));
        return { [net.dense(one, 8, 3)]: [3], [one]: [8] };
      }),
  },
  {
    why: "a tower for each input, and outputs of layers at different depths",
    kind: "maps",
    graph: () =>
      graphOf({ a: [4], b: [3] }, (net) => {
        const left = net.relu(net.dense("a", 4, 6));
        const right = net.relu(net.dense("b", 3, 5));
        const both = net.relu(net.dense(join(net, [left, right]), 11, 7));
        const last = net.relu(net.dense(both, 7, 6));
        return { [net.dense(last, 6, 3)]: [3], [net.dense(both, 7, 2)]: [2] };
      }),
  },
  {
    why: "an image of large numbers and a few small ones beside it",
    kind: "maps",
    graph: () =>
      graphOf({ few: [3], image: [2, 6, 6] }, (net) => {
        const same = { pads: [1, 1, 1, 1] };
        const one = net.relu(net.conv("image", [4, 2, 3, 3], same));
        const pooled = net.add("MaxPool", [one], {
          attributes: { kernel_shape: [2, 2], strides: [2, 2] },
        });
        const seen = net.relu(net.dense(pooled, 36, 6));
        const told = net.relu(net.dense("few", 3, 4));
        return { [net.dense(join(net, [seen, told]), 10, 3)]: [3] };
      }),
  },
  {
    why: "the sum of two inputs, a function of one, and an output made of an input alone",
    kind: "maps",
    graph: () =>
      graphOf({ a: [5], b: [5] }, (net) => {
        const sum = net.add("Add", ["a", net.add("Tanh", ["b"])]);
        const one = net.relu(net.dense(sum, 5, 6));
        return { [net.dense(one, 6, 3)]: [3], [net.dense("b", 5, 2)]: [2] };
      }),
  },
  {
    why: "an input that is scaled behind a layer that reads it without",
    kind: "maps",
    graph: () =>
      graphOf({ a: [6] }, (net) => {
        const one = net.relu(net.dense("a", 6, 6));
        const scaled = net.add("Mul", ["a"], { weights: [[6]], positive: true });
        return { [net.dense(net.add("Add", [one, scaled]), 6, 3)]: [3] };
      }),
  },
  {
    why: "single values, the last of which is normalised behind a function of it and the first",
    kind: "maps",
    graph: () =>
      graphOf({ a: [1], b: [1], c: [1] }, (net) => {
        const bent = net.add("Tanh", [join(net, ["a", "c"])]);
        const scaled = net.add("BatchNormalization", ["c"], {
          weights: [[1], [1], [1], [1]],
          positive: true,
        });
        return { [net.dense(join(net, [bent, net.relu(scaled)]), 3, 3)]: [3] };
      }),
  },
  {
    why: "an input joined with a layer",
    kind: "maps",
    graph: () =>
      graphOf({ a: [4], b: [3] }, (net) => {
        const one = net.relu(net.dense("a", 4, 6));
        return { [net.dense(join(net, [one, "b"]), 9, 3)]: [3] };
      }),
  },
];

const sizeOf = (shape: readonly number[]) =>
  shape.slice(1).reduce((product, each) => product * each, 1);

/** Values up to 1, of images up to 50. */
function rowsOf(graph: Graph, count: number): Tensor[] {
  const random = randomFrom(3);
  return graph.inputs.map(({ name, shape }) => {
    const reach = name === "image" ? 50 : 1;
    const draw = () => Math.fround(reach * (2 * random.uniform() - 1));
    const data = Float32Array.from({ length: count * sizeOf(shape) }, draw);
    return { name, datatype: "FP32", shape: [count, ...shape.slice(1)], data };
  });
}

const rangeOf = ({ inputs }: Graph) => {
  const max = inputs.flatMap(({ name, shape }) =>
    Array<number>(sizeOf(shape)).fill(name === "image" ? 50 : 1),
  );
  return { min: max.map((each) => -each), max };
};

describe("several inputs and outputs", () => {
  it.each(models)("answer as the float model: $why", ({ graph: build }) => {
    const graph = build();
    const { integerGraph, io } = lower({ graph, inputRange: rangeOf(graph), calibration: null });
    const rows = 20;
    const inputs = rowsOf(graph, rows);
    const { input, output } = integerGraph;
    const core = {
      inputBytes: input.size,
      outputBytes: (output.size * output.width) / 8,
      bytesPerOutput: output.width === 16 ? (2 as const) : (4 as const),
      latencyCycles: 1,
    };
    const { bytes, clipped } = encodeRows(io, core, inputs);
    expect(clipped).toBeNull();
    const answers = Array.from({ length: rows }, (_, row) => {
      const sent = new Int8Array(bytes.buffer, row * input.size, input.size);
      return Array.from(runIntegerGraph(integerGraph, sent).output);
    });
    const words = output.width === 16 ? Int16Array : Int32Array;
    const made = decodeRows(io, core, new Uint8Array(words.from(answers.flat()).buffer), rows);
    const floats = runGraph(
      graph,
      new Map(
        inputs.map(({ name, shape, data }) => [
          name,
          { shape, values: Float64Array.from(data as Float32Array) },
        ]),
      ),
    );
    expect(made.map(({ name }) => name)).toEqual(graph.outputs.map(({ name }) => name));
    for (const { name, data } of made) {
      const wanted = Array.from(floats.get(name)?.values ?? []);
      const largest = wanted.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
      const far = Array.from(data as Float32Array, (each, at) =>
        Math.abs(each - (wanted[at] ?? Number.NaN)),
      );
      expect(far).toHaveLength(wanted.length);
      expect(Math.max(...far)).toBeLessThan(0.08 * largest);
    }
  });

  it.each(models)("are a core that streams them: $why", { timeout: 120_000 }, ({ graph, kind }) => {
    const made = coreFor(graph(), targetOf(getBoardModel("ulx3s-25f")), {
      architecture: kind === "dense" ? "array" : "auto",
    });
    const { integerGraph, vectors } = lower({
      graph: graph(),
      inputRange: null,
      calibration: null,
    });
    expect(made.architecture).toBe(kind === "dense" ? "array" : "walk");
    const rows = vectors().slice(0, 12);
    const answers = runIcarus(made.verilog, rows, {
      outputs: integerGraph.output.size,
      bytesPerOutput: integerGraph.output.width / 8,
    });
    for (const [index, answer] of answers.entries()) {
      const row = rows[index] ?? new Int8Array();
      expect(Array.from(answer.values)).toEqual(
        Array.from(runIntegerGraph(integerGraph, row).output),
      );
    }
  });
});

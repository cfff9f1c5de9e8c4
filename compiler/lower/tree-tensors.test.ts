import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { corePortOf, decodeRows, encodeRows } from "@/lib/common/core-io";
import type { Tensor } from "@/lib/common/tensor";
import { coreFor } from "@/tests/support/compiler/core-for";
import {
  type RandomTrees,
  randomTrees,
  rowsOnThresholds,
} from "@/tests/support/compiler/random-trees";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { exportOnnx } from "../export-onnx";
import { readOutputs } from "../flows";
import type { Graph, GraphNode } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runGraph } from "../operators/run-graph";
import { randomFrom } from "../random";
import { targetOf } from "../target/part";
import { type LoweredTrees, lowerTrees } from "./trees";

type Sizes = Readonly<Record<string, number>>;

const joined = (inputs: readonly string[], name: string, axis = 1): GraphNode => ({
  name,
  operator: "Concat",
  domain: "",
  inputs,
  outputs: [name],
  attributes: { axis },
});

interface Reads {
  readonly name: string;
  /** What its trees read, one behind the other. */
  readonly reads: readonly string[];
}

/** Ensembles over some of the inputs, each over what it reads; the scores of several are added. */
function graphOf(
  inputs: Sizes,
  ensembles: readonly (Omit<RandomTrees, "features"> & Reads)[],
): Graph {
  const nodes: GraphNode[] = [];
  let outputs: Graph["outputs"] = [];
  let sum: string | null = null;
  for (const { name, reads, ...request } of ensembles) {
    const features = reads.reduce((count, each) => count + (inputs[each] ?? 0), 0);
    const made = randomTrees({ ...request, features });
    const table = reads.length > 1 ? `${name}/features` : (reads[0] ?? "");
    if (reads.length > 1) nodes.push(joined(reads, table));
    const own = (output: string) => (ensembles.length > 1 ? `${name}/${output}` : output);
    for (const each of made.nodes) {
      nodes.push({ ...each, name, inputs: [table], outputs: each.outputs.map(own) });
    }
    const [first] = made.outputs;
    outputs = ensembles.length > 1 && first ? [{ ...first, name: "sum" }] : made.outputs;
    const scores = own("variable");
    if (sum !== null) {
      const output = name === ensembles.at(-1)?.name ? "sum" : `${name}/sum`;
      nodes.push({ ...joined([sum, scores], output), operator: "Add", attributes: {} });
      sum = output;
    } else sum = scores;
  }
  const specs = Object.entries(inputs).map(
    ([name, size]) => ({ name, datatype: "FP32", shape: [-1, size] }) as const,
  );
  return { inputs: specs, outputs, nodes, constants: new Map(), shapes: new Map(), opset: 17 };
}

const all = "BRANCH_LT BRANCH_LEQ BRANCH_GT BRANCH_GTE".split(" ");
const base = { seed: 3, trees: 9, depth: 3, modes: all, missing: true };

const cases: readonly { readonly why: string; readonly graph: () => Graph }[] = [
  {
    why: "trees over two joined inputs",
    graph: () => graphOf({ a: 5, b: 3 }, [{ ...base, name: "trees", reads: ["a", "b"] }]),
  },
  {
    why: "classes of features in another order, one of them twice and one not at all",
    graph: () =>
      graphOf({ a: 2, idle: 2, b: 4, c: 1 }, [
        { ...base, scores: 3, labels: [5, 2, 9], name: "trees", reads: ["c", "b", "a", "c"] },
      ]),
  },
  {
    why: "an ensemble for each input, their scores added",
    graph: () =>
      graphOf({ a: 4, b: 3 }, [
        { ...base, scores: 2, name: "left", reads: ["a"], attributes: { base_values: [1, -2] } },
        { ...base, seed: 4, scores: 2, name: "right", reads: ["b"] },
      ]),
  },
  {
    why: "three ensembles, two of which share an input",
    graph: () =>
      graphOf({ a: 4, b: 3 }, [
        { ...base, trees: 4, name: "one", reads: ["b", "a"] },
        { ...base, trees: 5, seed: 4, name: "two", reads: ["b"] },
        { ...base, trees: 3, seed: 5, name: "three", reads: ["a"] },
      ]),
  },
];

/** Rows on thresholds, as the tensors of a graph. */
function rowsOf({ inputs }: Graph, count: number, seed: number): Tensor[] {
  return inputs.map(({ name, shape }, at) => {
    const rows = rowsOnThresholds(count, shape[1] ?? 1, seed + at);
    const data = Float32Array.from(rows.flatMap((row) => [...row]));
    return { name, datatype: "FP32", shape: [count, shape[1] ?? 1], data };
  });
}

/** What the host makes of rows with the integer graph between its encoding and its decoding. */
function hosted({ integerGraph, io }: LoweredTrees, inputs: readonly Tensor[]) {
  const core = corePortOf(integerGraph, 1);
  const { bytes, count } = encodeRows(io, core, inputs);
  const answers = Array.from({ length: count }, (_, row) => {
    const sent = new Int8Array(bytes.buffer, row * core.inputBytes, core.inputBytes);
    return Array.from(runIntegerGraph(integerGraph, sent).output);
  });
  const words = integerGraph.output.width === 16 ? Int16Array : Int32Array;
  return decodeRows(io, core, new Uint8Array(words.from(answers.flat()).buffer), count);
}

const numbersOf = ({ data }: { readonly data: unknown }) =>
  Array.from(data as ArrayLike<number | bigint>, Number);

/** Scores within what rounding leaves may do; labels where no two scores are nearer than that. */
function expectNear(
  made: readonly Tensor[],
  wanted: ReadonlyMap<string, readonly number[]>,
  errorBound: number,
): void {
  const scores = made.find(({ datatype }) => datatype === "FP32");
  const size = scores?.shape[1] ?? 1;
  const exact = wanted.get(scores?.name ?? "") ?? [];
  for (const output of made) {
    const judged = wanted.get(output.name) ?? [];
    const got = numbersOf(output);
    expect(got).toHaveLength(judged.length);
    for (const [at, value] of judged.entries()) {
      if (output.datatype === "FP32") {
        expect(Math.abs((got[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(errorBound + 1e-4);
        continue;
      }
      const [most = 0, next = 0] = exact.slice(at * size, (at + 1) * size).sort((a, b) => b - a);
      if (most - next > 2 * errorBound + 1e-4) expect(got[at]).toBe(value);
    }
  }
}

describe("trees over several inputs", () => {
  it.each(cases)("answer as ONNX Runtime does: $why", async ({ graph: build }) => {
    const graph = build();
    const inputs = rowsOf(graph, 200, 5);
    const session = await InferenceSession.create(exportOnnx(graph), { logSeverityLevel: 3 });
    const feeds = inputs.map(({ name, data, shape }) => [
      name,
      new OrtTensor("float32", data as Float32Array, [...shape]),
    ]);
    const judged = await session.run(Object.fromEntries(feeds));
    const wanted = new Map(
      graph.outputs.map(({ name }) => [name, numbersOf(judged[name] ?? { data: [] })]),
    );
    const lowered = lowerTrees(graph);
    const made = hosted(lowered, inputs);
    expect(made.map(({ name }) => name)).toEqual(graph.outputs.map(({ name }) => name));
    expectNear(made, wanted, lowered.errorBound);
  });

  it.each(cases)("are a core that streams them: $why", { timeout: 120_000 }, ({ graph }) => {
    const made = coreFor(graph(), targetOf(getBoardModel("ulx3s-25f")));
    expect(made.architecture).toBe("trees");
    const { integerGraph, vectors } = lowerTrees(graph());
    const rows = vectors().slice(0, 60);
    const answers = runIcarus(made.verilog, rows, {
      outputs: integerGraph.output.size,
      bytesPerOutput: integerGraph.output.width / 8,
    });
    const wanted = rows.map((row) => Array.from(runIntegerGraph(integerGraph, row).output));
    expect(answers.map(({ values }) => Array.from(values))).toEqual(wanted);
  });

  it("answer as the float model does, whichever inputs they read in whichever order", () => {
    for (let seed = 0; seed < 120; seed++) {
      const graph = randomModel(seed);
      const inputs = rowsOf(graph, 12, seed);
      const feeds = inputs.map(({ name, shape, data }) => {
        return [name, { shape, values: Float64Array.from(data as Float32Array) }] as const;
      });
      const wanted = new Map(
        [...runGraph(graph, new Map(feeds))].map(([name, { values }]) => [name, [...values]]),
      );
      const lowered = lowerTrees(graph);
      expectNear(hosted(lowered, inputs), wanted, lowered.errorBound);
    }
  });

  const two = { ...base, name: "left", reads: ["a"] };
  it.each<{ why: string; graph: () => Graph; words: string }>([
    {
      why: "ensembles that answer by themselves",
      graph: () => {
        const graph = graphOf({ a: 4, b: 3 }, [two, { ...two, name: "right", reads: ["b"] }]);
        const nodes = graph.nodes.filter(({ operator }) => operator !== "Add");
        const outputs = ["left/variable", "right/variable"].map(
          (name) => ({ name, datatype: "FP32", shape: [-1, 1] }) as const,
        );
        return { ...graph, nodes, outputs };
      },
      words: '"left", "right" answer by themselves',
    },
    {
      why: "sums of unlike many scores",
      graph: () =>
        graphOf({ a: 4, b: 3 }, [two, { ...two, scores: 2, name: "right", reads: ["b"] }]),
      words: "adds 1 scores and 2",
    },
    {
      why: "rows that are joined",
      graph: () => {
        const graph = graphOf({ a: 4, b: 4 }, [{ ...base, name: "trees", reads: ["a", "b"] }]);
        const [concat, ...more] = graph.nodes;
        return { ...graph, nodes: [joined(concat?.inputs ?? [], "trees/features", 0), ...more] };
      },
      words: "joins rows, not features",
    },
    {
      why: "an input of another type",
      graph: () => {
        const graph = graphOf({ a: 4, b: 4 }, [{ ...base, name: "trees", reads: ["a", "b"] }]);
        const [a, b] = graph.inputs;
        return { ...graph, inputs: [a!, { ...b!, datatype: "INT64" as const }] };
      },
      words: 'Input "b" is INT64',
    },
  ])("are refused by name: $why", ({ graph, words }) => {
    expect(() => readOutputs(graph())).toThrow(
      expect.objectContaining({ message: expect.stringContaining(words) }),
    );
  });
});

function randomModel(seed: number): Graph {
  const random = randomFrom(seed);
  const names = ["a", "b", "c"].slice(0, random.integer(2, 3));
  const inputs = Object.fromEntries(names.map((name) => [name, random.integer(1, 5)]));
  const reads = () => {
    const some = names.filter(() => random.integer(0, 2) > 0);
    if (some.length === 0) return names.slice(0, 1);
    return random.integer(0, 1) === 0 ? some : some.toReversed();
  };
  const scores = random.integer(1, 3);
  const request = () => ({
    seed: random.integer(0, 10_000),
    trees: random.integer(1, 6),
    depth: random.integer(1, 4),
    cuts: random.integer(1, 24),
    modes: all,
    missing: random.integer(0, 1) === 0,
    scores,
    reads: reads(),
  });
  const count = random.integer(1, 3);
  if (count === 1 && scores === 3 && random.integer(0, 1) === 0) {
    return graphOf(inputs, [
      { ...request(), trees: 6, labels: [0, 1, 2], sharedLeaves: true, name: "only" },
    ]);
  }
  return graphOf(
    inputs,
    Array.from({ length: count }, (_, at) => ({ ...request(), name: `ensemble${at}` })),
  );
}

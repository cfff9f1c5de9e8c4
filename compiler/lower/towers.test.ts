import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { corePortOf, decodeRows, encodeRows } from "@/lib/common/core-io";
import type { Tensor } from "@/lib/common/tensor";
import { coreFor } from "@/tests/support/compiler/core-for";
import { type MapGraphBuilder, mapGraph } from "@/tests/support/compiler/map-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { designCore } from "../design";
import { lower } from "../flows";
import type { Graph } from "../graph/graph";
import { runIntegerGraph } from "../integer/run-integer-graph";
import { runGraph } from "../operators/run-graph";
import { randomFrom } from "../random";
import { readGraph } from "../reader";
import { targetOf } from "../target/part";
import type { Lowered } from "./lowered";
import { lowerMaps } from "./maps";

type Sizes = Readonly<Record<string, number>>;

function graphOf(inputs: Sizes, build: (net: MapGraphBuilder) => Sizes, seed = 21): Graph {
  const net = mapGraph([-1, 1], seed);
  const outputs = build(net);
  const spec = ([name, size]: [string, number]) =>
    ({ name, datatype: "FP32", shape: [-1, size] }) as const;
  return {
    ...net.finish("", []),
    inputs: Object.entries(inputs).map(spec),
    outputs: Object.entries(outputs).map(spec),
  };
}

const join = (net: MapGraphBuilder, parts: readonly string[]) =>
  net.add("Concat", parts, { attributes: { axis: 1 } });
/** Dense layers of these sizes with ReLU behind each. */
const tower = (net: MapGraphBuilder, input: string, sizes: readonly number[]) =>
  sizes
    .slice(1)
    .reduce((value, size, at) => net.relu(net.dense(value, sizes[at] ?? 1, size)), input);

const joined: readonly { readonly why: string; readonly graph: () => Graph }[] = [
  {
    why: "a tower for each input",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const both = join(net, [tower(net, "b", [3, 5]), tower(net, "a", [4, 6])]);
        return { [net.dense(net.relu(net.dense(both, 11, 7)), 7, 3)]: 3 };
      }),
  },
  {
    why: "three towers of two layers with tanh, whose values are the answer's sums",
    graph: () =>
      graphOf({ a: 4, b: 3, c: 2 }, (net) => {
        const bent = (input: string, size: number) =>
          net.add("Tanh", [net.dense(tower(net, input, [size, 5]), 5, 4)]);
        return { [net.dense(join(net, [bent("a", 4), bent("b", 3), bent("c", 2)]), 12, 3)]: 3 };
      }),
  },
  {
    why: "towers whose sums are added, normalised behind",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const sum = net.add("Add", [
          net.dense(tower(net, "a", [4, 5]), 5, 4),
          net.dense(tower(net, "b", [3, 5]), 5, 4),
        ]);
        return { [net.dense(net.relu(sum), 4, 3)]: 3 };
      }),
  },
  {
    why: "towers whose values are added",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const sum = net.add("Add", [tower(net, "a", [4, 5]), tower(net, "b", [3, 5])]);
        return { [net.dense(sum, 5, 3)]: 3 };
      }),
  },
  {
    why: "sums of two inputs side by side as the answer",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        return { [join(net, [net.dense("a", 4, 2), net.dense("b", 3, 3)])]: 5 };
      }),
  },
];

const apart: readonly { readonly why: string; readonly graph: () => Graph }[] = [
  {
    why: "of unlike depth",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const both = join(net, [tower(net, "a", [4, 5, 5]), tower(net, "b", [3, 5])]);
        return { [net.dense(both, 10, 3)]: 3 };
      }),
  },
  {
    why: "of unlike functions",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const bent = net.add("Tanh", [net.dense("b", 3, 5)]);
        return { [net.dense(join(net, [tower(net, "a", [4, 5]), bent]), 10, 3)]: 3 };
      }),
  },
  {
    why: "so large that zeros between them cost more cycles than sweeps do",
    graph: () =>
      graphOf({ a: 40, b: 40 }, (net) => {
        const both = join(net, [tower(net, "a", [40, 24]), tower(net, "b", [40, 24])]);
        return { [net.dense(both, 48, 3)]: 3 };
      }),
  },
  {
    why: "one of which is read twice",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        const left = tower(net, "a", [4, 5]);
        const both = join(net, [left, tower(net, "b", [3, 5])]);
        return { [net.dense(net.add("Add", [left, net.dense(both, 10, 5)]), 5, 3)]: 3 };
      }),
  },
  {
    why: "beside an input that has none",
    graph: () =>
      graphOf({ a: 4, b: 3 }, (net) => {
        return { [net.dense(join(net, [tower(net, "a", [4, 5]), "b"]), 8, 3)]: 3 };
      }),
  },
];

function rowsOf({ inputs }: Graph, count: number): Tensor[] {
  const random = randomFrom(3);
  return inputs.map(({ name, shape }) => {
    const size = shape[1] ?? 1;
    const data = Float32Array.from({ length: count * size }, () => 2 * random.uniform() - 1);
    return { name, datatype: "FP32", shape: [count, size], data };
  });
}

/** The largest error of what the host makes of rows, of the largest value. */
function errorOf(graph: Graph, { integerGraph, io }: Lowered): number {
  const inputs = rowsOf(graph, 20);
  const core = corePortOf(integerGraph, 1);
  const { bytes, count } = encodeRows(io, core, inputs);
  const answers = Array.from({ length: count }, (_, row) => {
    const sent = new Int8Array(bytes.buffer, row * core.inputBytes, core.inputBytes);
    return Array.from(runIntegerGraph(integerGraph, sent).output);
  });
  const words = integerGraph.output.width === 16 ? Int16Array : Int32Array;
  const [made] = decodeRows(io, core, new Uint8Array(words.from(answers.flat()).buffer), count);
  const feeds = inputs.map(({ name, shape, data }) => {
    return [name, { shape, values: Float64Array.from(data as Float32Array) }] as const;
  });
  const wanted = [...(runGraph(graph, new Map(feeds)).get(made?.name ?? "")?.values ?? [])];
  const got = Array.from((made?.data ?? []) as Float32Array);
  expect(got).toHaveLength(wanted.length);
  const largest = wanted.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const far = wanted.map((each, at) => Math.abs(each - (got[at] ?? Number.NaN)));
  return Math.max(...far) / largest;
}

const rangeOf = ({ inputs }: Graph) => {
  const size = inputs.reduce((sum, { shape }) => sum + (shape[1] ?? 1), 0);
  return { min: Array<number>(size).fill(-1), max: Array<number>(size).fill(1) };
};
const board = targetOf(getBoardModel("ulx3s-25f"));
const opsOf = ({ integerGraph }: Lowered) => new Set(integerGraph.nodes.map(({ op }) => op));

describe("towers of dense layers", () => {
  it.each(joined)("are one chain that answers as the float model: $why", ({ graph: build }) => {
    const graph = build();
    const lowered = lower({ graph, inputRange: rangeOf(graph), calibration: null });
    expect([...opsOf(lowered)].every((op) => ["dense", "requantize", "table"].includes(op))).toBe(
      true,
    );
    expect(errorOf(graph, lowered)).toBeLessThan(0.06);
  });

  it.each(joined)("take fewer cycles on the array than on the walk: $why", ({ graph: build }) => {
    const graph = build();
    const request = { graph, inputRange: rangeOf(graph), calibration: null };
    const { latencyCycles } = coreFor(graph, board, { architecture: "array", lanes: 8 });
    const design = designCore({
      graph: lowerMaps(request).integerGraph,
      board,
      others: [],
      architecture: "auto",
      lanes: 8,
    });
    expect(design.architecture).toBe("walk");
    expect(latencyCycles).toBeLessThan(design.latencyCycles);
  });

  it.each(joined)("are cores that stream them: $why", { timeout: 120_000 }, ({ graph: build }) => {
    for (const architecture of ["array", "unrolled"] as const) {
      const graph = build();
      const made = coreFor(graph, board, { architecture });
      expect(made.architecture).toBe(architecture);
      const { integerGraph, vectors } = lower({ graph, inputRange: null, calibration: null });
      const rows = vectors().slice(0, 12);
      const answers = runIcarus(made.verilog, rows, {
        outputs: integerGraph.output.size,
        bytesPerOutput: integerGraph.output.width / 8,
      });
      const wanted = rows.map((row) => Array.from(runIntegerGraph(integerGraph, row).output));
      expect(answers.map(({ values }) => Array.from(values))).toEqual(wanted);
    }
  });

  it("are scaled by what gave their range, which reports call by its name", () => {
    for (const { graph: build } of [joined[0]!, apart[0]!]) {
      const graph = build();
      const request = { graph, inputRange: rangeOf(graph), calibration: null };
      expect(lower(request).calibration?.scaledBy).toMatch(/^range of the model card/);
      const given = lower({ ...request, rangeFrom: "request" });
      expect(given.calibration?.scaledBy).toMatch(/^range given with the request/);
      expect(given.notes.join(" ")).toContain("Inputs are scaled by range given with the request");
      expect(given.integerGraph).toEqual(lower(request).integerGraph);
    }
  });

  it.each(apart)("go on the walk: $why", ({ graph: build }) => {
    const graph = build();
    expect(readGraph(graph).steps).toBeNull();
    const lowered = lower({ graph, inputRange: rangeOf(graph), calibration: null });
    expect(errorOf(graph, lowered)).toBeLessThan(0.06);
  });

  it("answer as the float model by whichever way, whatever they are made of", () => {
    let chains = 0;
    for (let seed = 0; seed < 30; seed++) {
      const graph = randomTowers(seed);
      const lowered = lower({ graph, inputRange: rangeOf(graph), calibration: null });
      if (readGraph(graph).steps) chains++;
      expect(errorOf(graph, lowered), `seed ${seed}`).toBeLessThan(0.2);
    }
    expect(chains).toBeGreaterThan(5);
  });
});

function randomTowers(seed: number): Graph {
  const random = randomFrom(seed);
  const names = ["a", "b", "c"].slice(0, random.integer(2, 3));
  const inputs = Object.fromEntries(names.map((name) => [name, random.integer(1, 6)]));
  const depth = random.integer(1, 2);
  const isSum = random.integer(0, 2) === 0;
  const width = random.integer(2, 5);
  const functions = ["Relu", "Tanh", "Sigmoid", null];
  const shared = functions[random.integer(0, 3)] ?? null;
  return graphOf(
    inputs,
    (net) => {
      const bent = (value: string, operator: string | null) =>
        operator === null ? value : net.add(operator, [value]);
      const ends = names.map((name) => {
        const isOdd = random.integer(0, 5) === 0;
        const own = isOdd ? (functions[random.integer(0, 3)] ?? null) : shared;
        let [value, size] = [name, inputs[name] ?? 1];
        for (let level = 0; level < depth; level++) {
          const next = level === depth - 1 && isSum ? width : random.integer(1, 6);
          value = bent(net.dense(value, size, next), level === depth - 1 ? own : "Relu");
          size = next;
        }
        return { value, size };
      });
      const order = random.integer(0, 1) === 0 ? ends : ends.toReversed();
      const met = isSum
        ? order
            .slice(1)
            .reduce((sum, { value }) => net.add("Add", [sum, value]), order[0]?.value ?? "")
        : join(
            net,
            order.map(({ value }) => value),
          );
      const size = isSum ? width : order.reduce((sum, each) => sum + each.size, 0);
      const last = bent(net.dense(met, size, 5), "Relu");
      return { [net.dense(last, 5, 3)]: 3 };
    },
    seed,
  );
}

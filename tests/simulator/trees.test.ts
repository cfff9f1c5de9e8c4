import { beforeAll, describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { type Graph, type IntegerGraph, runIntegerGraph, type Tap } from "@/compiler";

import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { coreFor } from "@/tests/support/compiler/core-for";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { createRandom } from "./support/random";
import { netlistOf } from "./support/tools";

const part = { lut: 100_000, ff: 100_000, bramBlocks: 30, bramBlockBits: 4096, dsp: 0 };

interface Built {
  readonly graph: IntegerGraph;
  readonly vectors: readonly Int8Array[];
  readonly verilog: string;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
}

function build(model: Graph): Built {
  const { vectors, ...design } = coreFor(model, { costs: familyCosts("ecp5"), part });
  return { ...design, vectors: vectors() };
}

/** The simulated core, with how many bits each of its kept signals has. */
async function simulate({ graph, taps }: Built, verilog: string) {
  const signals = [...new Set(taps.map(({ signal }) => signal))];
  const netlist = await netlistOf({ "core.v": verilog });
  const simulation = loadSimulation(compileNetlist(netlist, { top: "core", signals }).wasm);
  const runner = createCoreRunner(simulation, {
    inputBytes: graph.input.size,
    outputBytes: (graph.output.size * graph.output.width) / 8,
  });
  const widths = new Map(simulation.interface.signals.map(({ name, width }) => [name, width]));
  return { ...runner, widths };
}

type Simulated = Awaited<ReturnType<typeof simulate>>;

/** The first tap, over all rows, that shows something else than the integer graph has there. */
function firstDifference({ graph, vectors, taps }: Built, simulated: Simulated): string | null {
  for (const row of vectors) {
    const { nodes } = runIntegerGraph(graph, row);
    const { values } = simulated.runWithTaps(row, taps);
    const tap = taps.find(({ node, element, signal }, at) => {
      const expected = nodes.get(node)?.[element] ?? Number.NaN;
      return BigInt.asUintN(simulated.widths.get(signal) ?? 64, BigInt(expected)) !== values[at];
    });
    if (tap) return `${tap.node}[${tap.element}]`;
  }
  return null;
}

const wordsOf = ({ output, graph }: { output: Uint8Array; graph: IntegerGraph }): number[] => {
  const bytes = graph.output.width / 8;
  const buffer = Buffer.from(output);
  return Array.from({ length: graph.output.size }, (_, at) => buffer.readIntLE(at * bytes, bytes));
};

describe("tree cores", { timeout: 240_000 }, () => {
  it.each([
    { why: "of an XGBoost model with missing values", float: "breast-cancer-xgboost/model.json" },
    { why: "of a forest with leaves of three classes", float: "wine-sklearn-forest/model.onnx" },
  ] as const)("$why equal the integer graph on every vector", async ({ float }) => {
    const built = build(loadTreeSample(float).graph);
    const runner = await simulate(built, built.verilog);
    expect(built.vectors.length).toBeGreaterThan(1000);
    for (const row of built.vectors) {
      const { output, cycles } = runner.run(row);
      const wanted = [...runIntegerGraph(built.graph, row).output];
      expect(wordsOf({ output, graph: built.graph })).toEqual(wanted);
      expect(cycles).toBe(built.latencyCycles);
    }
  });

  it.each([
    { seed: 1, trees: 1, depth: 1, features: 1, cuts: 1, why: "the smallest" },
    { seed: 2, trees: 16, depth: 6, features: 5, missing: true, why: "six levels" },
    { seed: 3, trees: 40, depth: 5, features: 1, cuts: 2000, why: "ranks of two bytes" },
    {
      seed: 4,
      trees: 60,
      depth: 5,
      features: 2,
      cuts: 3000,
      missing: true,
      why: "ranks of two bytes, some missing",
    },
    {
      seed: 5,
      trees: 7,
      depth: 3,
      scores: 5,
      sharedLeaves: true,
      attributes: { base_values: [3e4, -3e4, 0, 1, -1] },
      why: "answers of 32 bits",
    },
  ])("equal the integer graph: $why", async ({ why: _, ...request }) => {
    const built = build(randomTrees(request));
    const runner = await simulate(built, built.verilog);
    for (const row of built.vectors) {
      const { output, cycles } = runner.run(row);
      const wanted = [...runIntegerGraph(built.graph, row).output];
      expect(wordsOf({ output, graph: built.graph })).toEqual(wanted);
      expect(cycles).toBe(built.latencyCycles);
    }
  });
});

describe("one fault in the text of a tree core", { timeout: 240_000 }, () => {
  let built: Built;
  beforeAll(() => {
    const missing = { seed: 9, trees: 12, depth: 3, features: 6, cuts: 40, missing: true };
    built = build(randomTrees(missing));
  });

  it("is not there to begin with", async () => {
    expect(firstDifference(built, await simulate(built, built.verilog))).toBeNull();
  });

  const random = createRandom(20_261_121);
  /** Changes one of all places that a pattern finds. */
  const damaged = (pattern: RegExp, change: (...parts: string[]) => string): string => {
    const found = [...built.verilog.matchAll(pattern)];
    const match = found[random.below(found.length)];
    if (!match) throw new Error(`${pattern} is not in the text`);
    const text = change(...match);
    expect(text).not.toBe(match[0]);
    const start = match.index;
    return built.verilog.slice(0, start) + text + built.verilog.slice(start + match[0].length);
  };

  const faults = [
    {
      what: "a threshold one off",
      make: () =>
        damaged(
          /(low_below_\d+ <= in_data\[3:0\] < 4'd)(\d+)/g,
          (_, test, limit) => `${test}${Number(limit) ^ 1}`,
        ),
    },
    {
      what: "a missing value sent the other way",
      make: () => damaged(/( <= [^;\n]*) \| missing_1;/g, (_, rest) => `${rest};`),
    },
    {
      what: "a leaf one off",
      make: () =>
        damaged(
          /(?<=value_\d+_0 <= [^;\n]*)(\d+)'d(\d+)/g,
          (_, width, value) => `${width}'d${Number(value) ^ 1}`,
        ),
    },
    {
      what: "children exchanged",
      make: () =>
        damaged(
          /\((below_\w+) \? (\d+'d\d+) : (\d+'d\d+)\)/g,
          (_, test, yes, no) => `(${test} ? ${no} : ${yes})`,
        ),
    },
    {
      what: "a feature taken one byte early",
      make: () =>
        damaged(
          /if \(at\[([2-9])\]\) (below_\w+)/g,
          (_, at, name) => `if (at[${Number(at) - 1}]) ${name}`,
        ),
    },
  ];
  it.each(faults.flatMap(({ what, make }) => [1, 2, 3].map((time) => ({ what, make, time }))))(
    "is named: $what ($time)",
    async ({ make }) => {
      const verilog = make();
      const found = firstDifference(built, await simulate(built, verilog));
      expect(found).toMatch(/^ensemble\[\d+\]$/);
    },
  );

  it("in a sum is named as such", async () => {
    const verilog = damaged(
      /(reg \[\d+:0\] sum_0_0_\d+;\n.*<= )(value_\d+_0) \+/g,
      (_, rest, value) => `${rest}${value} + 1'b1 +`,
    );
    expect(firstDifference(built, await simulate(built, verilog))).toBe("scores[0]");
  });
});

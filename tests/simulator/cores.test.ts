import { beforeAll, describe, expect, it } from "vitest";
import { type IntegerGraph, runIntegerGraph } from "@/compiler";
import { buildSchedule, stagesOf } from "@/compiler/schedule";
import { emitCore, tapsOf } from "@/compiler/verilog";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { type DigitsCore, digitsCore } from "./support/digits-core";
import { createRandom } from "./support/random";
import { netlistOf } from "./support/tools";

const signals = ["tap_accumulator", "tap_value"];

async function load(verilog: string) {
  const netlist = await netlistOf({ "core.v": verilog });
  return loadSimulation(compileNetlist(netlist, { top: "core", signals }).wasm);
}

const runnerOf = async (graph: IntegerGraph, verilog: string) =>
  createCoreRunner(await load(verilog), {
    inputBytes: graph.input.size,
    outputBytes: 2 * graph.output.size,
  });

/** Two's complement, little-endian, 16 bits each. */
const valuesOf = (output: Uint8Array): number[] => [...new Int16Array(output.slice().buffer)];

describe("cores made by the compiler", () => {
  const styles = { constants: "block", result: "block" } as const;

  it.each([
    { sizes: [5, 7, 3], lanes: 2, seed: 21 },
    { sizes: [16, 16, 8, 5], lanes: 8, seed: 22 },
    { sizes: [3, 40, 9], lanes: 16, seed: 23 },
  ])("$sizes at $lanes lanes answers like Icarus, tap by tap", async ({ sizes, lanes, seed }) => {
    const graph = randomGraph(sizes, { seed, relu: "mixed" });
    const schedule = buildSchedule(
      stagesOf(graph).map(({ dense }) => dense),
      lanes,
    );
    const verilog = emitCore(graph, schedule, styles);
    const random = createRandom(seed);
    const rows = Array.from({ length: 20 }, () =>
      Int8Array.from({ length: sizes[0] ?? 1 }, () => random.below(256) - 128),
    );
    const judged = runIcarus(verilog, rows, { outputs: graph.output.size });
    const runner = await runnerOf(graph, verilog);
    const taps = tapsOf(graph, schedule);
    expect(taps.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const { output, cycles, values } = runner.runWithTaps(row, taps);
      const answer = judged[index];
      expect(valuesOf(output)).toEqual([...(answer?.values ?? [])]);
      expect(cycles).toBe(answer?.cycles);
      taps.forEach((tap, at) => {
        const trace = tap.signal === "tap_value" ? answer?.value : answer?.accumulator;
        const width = tap.signal === "tap_value" ? 16 : widthOf(graph);
        expect(Number(BigInt.asIntN(width, values[at] ?? 0n))).toBe(trace?.[tap.cycle]);
      });
    });
  });

  const widthOf = (graph: IntegerGraph): number =>
    Math.max(...graph.nodes.map((node) => (node.op === "dense" ? node.accumulatorWidth : 0)));
});

describe("digits-mlp", () => {
  let digits: DigitsCore;
  beforeAll(() => {
    digits = digitsCore();
  });

  it("equals the integer graph on every verification vector", async () => {
    const { graph, design, vectors } = digits;
    const runner = await runnerOf(graph, design.verilog);
    expect(vectors.length).toBeGreaterThan(1000);
    for (const row of vectors) {
      const { output, cycles } = runner.run(row);
      expect(valuesOf(output)).toEqual([...runIntegerGraph(graph, row).output]);
      expect(cycles).toBe(design.schedule.latencyCycles);
    }
  });

  it("differs once one bit of one bias is flipped", async () => {
    const { graph, design, vectors } = digits;
    const flipped = design.verilog.replace(
      /(constants\[73\] = \d+'h[0-9a-f]*)([0-9a-f])([0-9a-f]{2};)/,
      (_, head, digit, tail) => `${head}${(Number.parseInt(digit, 16) ^ 4).toString(16)}${tail}`,
    );
    expect(flipped).not.toBe(design.verilog);
    const runner = await runnerOf(graph, flipped);
    const wrong = vectors.filter(
      (row) =>
        valuesOf(runner.run(row).output).join() !== [...runIntegerGraph(graph, row).output].join(),
    );
    expect(wrong.length).toBeGreaterThan(0);
  });
});

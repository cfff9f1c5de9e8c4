import { beforeAll, describe, expect, it } from "vitest";
import { familyCosts, getBoardModel } from "@/boards";
import { type IntegerGraph, runIntegerGraph, targetOf } from "@/compiler";
import { emitCore } from "@/compiler/architectures/array/emit";
import { buildSchedule } from "@/compiler/architectures/array/schedule";
import { tapsOf } from "@/compiler/architectures/array/taps";
import { unroll } from "@/compiler/architectures/unrolled/design-unrolled";
import { layersOf } from "@/compiler/integer/layers";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { coreFor } from "@/tests/support/compiler/core-for";
import { mapGraph } from "@/tests/support/compiler/map-graph";
import { quantizedMapGraph } from "@/tests/support/compiler/quantized-map-graph";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { type DigitsCore, digitsCore } from "./support/digits-core";
import { createRandom } from "./support/random";
import { netlistOf } from "./support/tools";

const signals = ["tap_accumulator", "tap_value"];

async function load(verilog: string, keep: readonly string[]) {
  const netlist = await netlistOf(
    { "core.v": verilog },
    "setattr -set keep 1 w:tap_* w:accumulator_* w:value_*; hierarchy -check -top core; proc; flatten; memory_collect; opt_clean",
  );
  return loadSimulation(compileNetlist(netlist, { top: "core", signals: keep }).wasm);
}

const runnerOf = async (graph: IntegerGraph, verilog: string, keep: readonly string[] = signals) =>
  createCoreRunner(await load(verilog, keep), {
    inputBytes: graph.input.size,
    outputBytes: 2 * graph.output.size,
  });

/** Two's complement, little-endian, 16 bits each. */
const valuesOf = (output: Uint8Array): number[] => [...new Int16Array(output.slice().buffer)];

describe("cores made by the compiler", () => {
  const styles = {
    constants: "block",
    result: "block",
    multipliers: { paired: false, inCells: 0 },
  } as const;

  it.each([
    { sizes: [5, 7, 3], lanes: 2, seed: 21 },
    { sizes: [16, 16, 8, 5], lanes: 8, seed: 22 },
    { sizes: [3, 40, 9], lanes: 16, seed: 23 },
  ])("$sizes at $lanes lanes answers like Icarus, tap by tap", async ({ sizes, lanes, seed }) => {
    const graph = randomGraph(sizes, { seed, relu: "mixed" });
    const schedule = buildSchedule(
      layersOf(graph).map(({ dense }) => dense),
      lanes,
    );
    const verilog = emitCore(graph, schedule, styles);
    const random = createRandom(seed);
    const rows = Array.from({ length: 20 }, () =>
      Int8Array.from({ length: sizes[0] ?? 1 }, () => random.below(256) - 128),
    );
    const judged = runIcarus(verilog, rows, { outputs: graph.output.size, watch: signals });
    const runner = await runnerOf(graph, verilog);
    const taps = tapsOf(graph, schedule);
    expect(taps.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const { output, cycles, values } = runner.runWithTaps(row, taps);
      const answer = judged[index];
      expect(valuesOf(output)).toEqual([...(answer?.values ?? [])]);
      expect(cycles).toBe(answer?.cycles);
      taps.forEach((tap, at) => {
        const width = tap.signal === "tap_value" ? 16 : widthOf(graph);
        const shown = answer?.traces.get(tap.signal)?.[tap.cycle];
        expect(Number(BigInt.asIntN(width, values[at] ?? 0n))).toBe(shown);
      });
    });
  });

  it("dense layers with a residual sum and looked-up functions answer as the integer graph", async () => {
    const net = mapGraph([-1, 6], 15);
    const one = net.relu(net.dense(net.input, 6, 8));
    const two = net.add("Tanh", [net.dense(one, 8, 8)]);
    const sum = net.add("HardSwish", [net.add("Add", [one, two])]);
    const target = targetOf(getBoardModel("icebreaker"));
    const core = coreFor(net.finish(net.dense(sum, 8, 3), [-1, 3]), target);
    const runner = await runnerOf(core.graph, core.verilog);
    for (const row of core.vectors().slice(0, 40)) {
      const { output } = runner.run(row);
      expect(valuesOf(output)).toEqual([...runIntegerGraph(core.graph, row).output]);
    }
  });

  it("quantised maps with 32-bit scores answer as the integer graph", async () => {
    const net = quantizedMapGraph([-1, 2, 6, 6], { seed: 5 });
    const grid = (type: "INT8" | "UINT8", fraction: number, zero = 0) => ({ type, fraction, zero });
    const image = net.stop(net.input, grid("UINT8", 4, 100));
    const sums = net.conv(image, [3, 2, 3, 3], { fraction: 4, floatBias: true });
    const one = net.stop(sums, grid("UINT8", 2, 37));
    const curve = net.stop(net.add("Tanh", [net.stop(one, grid("INT8", 1))]), grid("INT8", 7));
    const scores = net.conv(net.add("Flatten", [curve]), [3, 48], { fraction: 7 });
    const target = targetOf(getBoardModel("ulx3s-25f"));
    const core = coreFor(net.finish(scores, [-1, 3]), target);
    expect(core.graph.output.width).toBe(32);
    const shape = { inputBytes: 72, outputBytes: 12 };
    const runner = createCoreRunner(await load(core.verilog, signals), shape);
    for (const row of core.vectors().slice(0, 40)) {
      const { output } = runner.run(row);
      const answers = [...new Int32Array(output.slice().buffer)];
      expect(answers).toEqual([...runIntegerGraph(core.graph, row).output]);
    }
  });

  it.each([
    { sizes: [5, 7, 3], registerEvery: 1, family: "ecp5", seed: 31 },
    { sizes: [16, 8, 8, 5], registerEvery: 1, family: "ice40", seed: 32 },
    { sizes: [6, 12, 4], registerEvery: 3, family: "ice40", seed: 33 },
  ])(
    "$sizes unrolled for $family, $registerEvery adders a cycle, answers like Icarus, tap by tap",
    async ({ sizes, registerEvery, family, seed }) => {
      const graph = randomGraph(sizes, { seed, relu: "mixed" });
      const { latencyCycles, taps, emit } = unroll(graph, {
        costs: familyCosts(family),
        registerEvery,
      });
      const random = createRandom(seed);
      const rows = Array.from({ length: 20 }, () =>
        Int8Array.from({ length: sizes[0] ?? 1 }, () => random.below(256) - 128),
      );
      const watch = [...new Set(taps.map(({ signal }) => signal))];
      const judged = runIcarus(emit(), rows, { outputs: graph.output.size, watch });
      const runner = await runnerOf(graph, emit(), watch);
      rows.forEach((row, index) => {
        const { output, cycles, values } = runner.runWithTaps(row, taps);
        const answer = judged[index];
        const { nodes, output: wanted } = runIntegerGraph(graph, row);
        expect(valuesOf(output)).toEqual([...wanted]);
        expect([...(answer?.values ?? [])]).toEqual([...wanted]);
        expect([cycles, answer?.cycles]).toEqual([latencyCycles, latencyCycles]);
        taps.forEach((tap, at) => {
          const expected = nodes.get(tap.node)?.[tap.element] ?? Number.NaN;
          expect(answer?.traces.get(tap.signal)?.[tap.cycle]).toBe(expected);
          const bits = tapWidth(graph, tap.node);
          expect(Number(BigInt.asIntN(bits, values[at] ?? 0n))).toBe(expected);
        });
      });
    },
  );

  const tapWidth = (graph: IntegerGraph, name: string): number => {
    const node = graph.nodes.find((each) => each.name === name);
    if (node?.op === "dense") return node.accumulatorWidth;
    if (node?.op !== "requantize") throw new Error(`no node ${name} of a dense network`);
    return node.width + (node.signed ? 0 : 1);
  };

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

import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { type IcarusAnswer, runIcarus } from "@/tests/support/compiler/run-icarus";
import { loadSample } from "@/tests/support/compiler/samples";
import type { IntegerGraph, Tap } from "../../integer/integer-graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerDense } from "../../lower/dense";
import { randomFrom } from "../../random";
import { unroll } from "./design-unrolled";

function randomRows(count: number, size: number, seed: number): Int8Array[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: size }, () => random.integer(-128, 127)),
  );
}

function build(graph: IntegerGraph, registerEvery: number, family = "ice40") {
  const core = unroll(graph, { costs: familyCosts(family), registerEvery });
  const rank = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  const order = (tap: Tap) => rank.get(tap.node) ?? 0;
  return {
    graph,
    latencyCycles: core.latencyCycles,
    verilog: core.emit(),
    taps: [...core.taps].sort((a, b) => order(a) - order(b)),
  };
}
type Built = ReturnType<typeof build>;

function run({ graph, verilog, taps }: Built, rows: readonly Int8Array[], more: object = {}) {
  const watch = [...new Set(taps.map(({ signal }) => signal))];
  return runIcarus(verilog, rows, { outputs: graph.output.size, watch, ...more });
}

/** The first element of the first node, in order, whose tap does not show what the integer graph says. */
function firstDifference({ graph, taps }: Built, row: Int8Array, answer: IcarusAnswer) {
  const { nodes } = runIntegerGraph(graph, row);
  const wrong = taps.find(
    ({ node, element, signal, cycle }) =>
      answer.traces.get(signal)?.[cycle] !== nodes.get(node)?.[element],
  );
  return wrong ? `${wrong.node}[${wrong.element}]` : null;
}

function expectEqual(built: Built, rows: readonly Int8Array[], more: object = {}) {
  const answers = run(built, rows, more);
  expect(answers).toHaveLength(rows.length);
  for (const [index, answer] of answers.entries()) {
    const row = rows[index] ?? new Int8Array();
    expect({ index, first: firstDifference(built, row, answer) }).toEqual({ index, first: null });
    expect(Array.from(answer.values)).toEqual(Array.from(runIntegerGraph(built.graph, row).output));
    expect(answer.cycles).toBe(built.latencyCycles);
  }
}

describe("the unrolled core in Icarus", { timeout: 120_000 }, () => {
  it.each([
    { sizes: [4, 16, 8, 3], every: 1, relu: true, why: "a register after every adder" },
    { sizes: [4, 16, 8, 3], every: 3, relu: true, why: "three adders between registers" },
    { sizes: [16, 8, 8, 5], every: 2, relu: true, why: "two adders between registers" },
    { sizes: [5, 3], every: 1, relu: true, why: "one layer" },
    { sizes: [1, 1], every: 1, relu: true, why: "the smallest" },
    { sizes: [1, 7, 1, 9], every: 1, relu: true, why: "single values between layers" },
    { sizes: [3, 11, 6, 2], every: 1, relu: false, why: "signed hidden layers" },
    { sizes: [9, 10, 10, 10, 7], every: 4, relu: "mixed" as const, why: "mixed activations" },
  ])("equals the integer graph at every tap: $sizes ($why)", ({ sizes, every, relu }) => {
    const built = build(randomGraph(sizes, { seed: 11, relu }), every);
    expect(built.taps).toHaveLength(2 * sizes.slice(1).reduce((sum, size) => sum + size, 0));
    expectEqual(built, randomRows(40, sizes[0] ?? 1, 5));
  });

  it.each([
    { sizes: [4, 16, 8, 3], relu: true },
    { sizes: [3, 11, 6, 2], relu: false },
  ])("equals it with constants in carry chains, too: $sizes", ({ sizes, relu }) => {
    const built = build(randomGraph(sizes, { seed: 11, relu }), 1, "ecp5");
    expect(built.verilog.match(/^ {2}sum_with_constant /gm)?.length).toBeGreaterThan(8);
    expectEqual(built, randomRows(40, sizes[0] ?? 1, 5));
  });

  it("equals the integer graph of iris-mlp on its vector file", () => {
    const { graph: float, card } = loadSample("iris-mlp");
    const { integerGraph, vectors } = lowerDense({
      graph: float,
      inputRange: card.inputRange ?? null,
      calibration: null,
    });
    expectEqual(build(integerGraph, 1), vectors().slice(0, 300));
  });

  it("shows shifts of all sizes, constants and unused neurons as the integer graph has them", () => {
    const graph = randomGraph([5, 6, 4], { seed: 3, relu: true });
    const nodes = graph.nodes.map((node, index) => {
      if (node.op === "requantize") return { ...node, shift: node.shift.map((_, i) => i * 3) };
      if (node.op !== "dense") return node;
      return index === 0
        ? { ...node, weights: node.weights.map((w, i) => (i < 5 ? 0 : i < 10 ? w & ~15 : w)) }
        : { ...node, weights: node.weights.map((w, i) => (i % 6 === 3 ? 0 : w)) };
    });
    expectEqual(build({ ...graph, nodes }, 1), randomRows(60, 5, 2));
  });

  it("waits for a slow sender and a slow reader", () => {
    const built = build(randomGraph([5, 9, 4], { seed: 2, relu: true }), 1);
    expectEqual(built, randomRows(30, 5, 8), { stall: true });
  });

  const reset = "rst = 1; @(negedge clk); rst = 0; @(negedge clk);";
  it.each([
    { why: "a row that ends early", extra: "send(1, 0); send(2, 1);" },
    { why: "a row of one byte", extra: "send(1, 1);" },
    {
      why: "a row that ends late",
      extra: "for (index = 0; index < 40; index = index + 1) send(index, index == 39);",
    },
    { why: "a reset in the middle of a row", extra: `send(1, 0); send(2, 0); ${reset}` },
    ...[1, 4, 9, 17].map((cycle) => ({
      why: `a reset ${cycle} cycles into a run`,
      extra: `send_row(0); repeat (${cycle}) @(negedge clk); ${reset}`,
    })),
    {
      why: "a reset while the answer is read",
      extra: `send_row(0); while (!out_valid) @(negedge clk); out_ready = 1; @(negedge clk); out_ready = 0; ${reset}`,
    },
  ])("answers the next rows rightly after $why", ({ extra }) => {
    const built = build(randomGraph([6, 9, 4], { seed: 4, relu: true }), 1);
    expectEqual(built, randomRows(3, 6, 21), { extra });
  });
});

describe("a wrong bit in the unrolled core", { timeout: 120_000 }, () => {
  const built = build(randomGraph([6, 9, 7, 3], { seed: 6, relu: true }), 1);
  const rows = randomRows(20, 6, 3);
  const namesFound = (verilog: string) => {
    const answers = run({ ...built, verilog }, rows);
    const found = rows.map((row, index) =>
      firstDifference(built, row, answers[index] as IcarusAnswer),
    );
    return new Set(found.filter((name) => name !== null));
  };
  /** The signal that a tap shows, and the line that makes it. */
  const lineOf = (tap: string) => {
    const shown = new RegExp(`${tap} = .*?\\b(s\\d+)\\b`).exec(built.verilog)?.[1];
    const line = built.verilog.split("\n").find((each) => each.includes(` ${shown} = `));
    if (!line) throw new Error(`nothing makes ${tap}`);
    return line;
  };
  const withLine = (line: string, changed: string) => {
    expect(changed).not.toBe(line);
    return built.verilog.replace(line, () => changed);
  };

  it.each([0, 1, 2])("shows the turned sign of weights of layer %i in that sum first", (layer) => {
    const line = lineOf(`accumulator_${layer}_2`);
    const changed = line.replace(/ [+-] /, (sign) => (sign === " + " ? " - " : " + "));
    expect(namesFound(withLine(line, changed))).toEqual(new Set([`dense_${layer}[2]`]));
  });

  it.each([0, 1])("shows a wrong shift of layer %i in that value first", (layer) => {
    const line = lineOf(`value_${layer}_2`);
    const changed = line.replace(
      /\[(\d+):(\d+)\](?!.*\[\d+:)/,
      (_, high, low) => `[${Number(high) - 1}:${Number(low) - 1}]`,
    );
    expect(namesFound(withLine(line, changed))).toEqual(new Set([`requantize_${layer}[2]`]));
  });
});

describe("the emitted text", () => {
  it("is the same for equal graphs and holds no time, path or version", () => {
    const emit = () => build(randomGraph([3, 5, 2], { seed: 1, relu: true }), 1).verilog;
    expect(emit()).toBe(emit());
    expect(emit()).not.toMatch(/\/tmp|\/home|20\d\d-/);
  });

  it("has one operator per line, so that no tool makes compressor trees of chains", () => {
    const { verilog } = build(randomGraph([8, 8, 4], { seed: 1, relu: true }), 1);
    const sums = verilog.split("\n").filter((line) => /^ {2}wire .*s\d+ = .*[+-]/.test(line));
    expect(sums.length).toBeGreaterThan(50);
    for (const line of sums) expect(line.match(/[+-]/g)).toHaveLength(1);
  });
});

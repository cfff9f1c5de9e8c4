import { describe, expect, it } from "vitest";
import { familyCosts, getBoardModel } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { withFlippedBit } from "@/tests/support/compiler/flip-bit";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { type IcarusAnswer, runIcarus } from "@/tests/support/compiler/run-icarus";
import { loadSample, sampleIds } from "@/tests/support/compiler/samples";
import type { IntegerGraph, Tap } from "../../integer/integer-graph";
import { layersOf } from "../../integer/layers";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerDense } from "../../lower/dense";
import { precisions } from "../../passes/precision";
import { randomFrom } from "../../random";
import { emitCore } from "./emit";
import { chooseLanes } from "./layout";
import { locateShift, locateWeight } from "./locate";
import { buildSchedule } from "./schedule";
import { layerShapesOf } from "./stages";
import { tapsOf } from "./taps";

const watch = ["tap_accumulator", "tap_value"];
const styles = { constants: "block", result: "block" } as const;
const cells = cellModelsOf(getBoardModel("icebreaker").part);

function randomRows(count: number, size: number, seed: number): Int8Array[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: size }, () => random.integer(-128, 127)),
  );
}

interface Built {
  readonly graph: IntegerGraph;
  readonly schedule: ReturnType<typeof buildSchedule>;
  readonly verilog: string;
  /** In the order of the nodes. */
  readonly taps: readonly Tap[];
}

/** What multiplies, and the models of the cells that are named for it. */
interface Choice {
  readonly paired?: boolean;
  readonly inCells?: number;
}

function build(
  graph: IntegerGraph,
  lanes: number,
  { paired = false, inCells = 0 }: Choice = {},
): Built {
  const schedule = buildSchedule(layerShapesOf(graph), lanes);
  const taps = tapsOf(graph, schedule);
  return {
    graph,
    schedule,
    verilog: emitCore(graph, schedule, { ...styles, multipliers: { paired, inCells } }),
    taps: graph.nodes.flatMap(({ name }) => taps.filter(({ node }) => node === name)),
  };
}

/** The first element of the first node, in order, whose tap does not show what the integer graph says. */
function firstDifference({ graph, taps }: Built, row: Int8Array, answer: IcarusAnswer) {
  const { nodes } = runIntegerGraph(graph, row);
  const wrong = taps.find(({ node, element, signal, cycle, offset = 0 }) => {
    const shown = answer.traces.get(signal)?.[cycle] ?? Number.NaN;
    return shown - offset !== nodes.get(node)?.[element];
  });
  return wrong ? `${wrong.node}[${wrong.element}]` : null;
}

function expectEqual(built: Built, rows: readonly Int8Array[], answers: readonly IcarusAnswer[]) {
  expect(answers).toHaveLength(rows.length);
  for (const [index, answer] of answers.entries()) {
    const row = rows[index] ?? new Int8Array();
    expect({ index, first: firstDifference(built, row, answer) }).toEqual({ index, first: null });
    expect(Array.from(answer.values)).toEqual(Array.from(runIntegerGraph(built.graph, row).output));
    expect(answer.cycles).toBe(built.schedule.latencyCycles);
  }
}

describe("the emitted core in Icarus", { timeout: 60_000 }, () => {
  it.each([
    { sizes: [4, 16, 8, 3], lanes: 8, relu: true, why: "needs pauses" },
    { sizes: [16, 16, 8, 8, 5], lanes: 8, relu: true, why: "reads would overtake writes" },
    { sizes: [64, 32, 32, 10], lanes: 8, relu: true, why: "three wide layers" },
    { sizes: [5, 3], lanes: 2, relu: true, why: "one layer" },
    { sizes: [1, 1], lanes: 1, relu: true, why: "the smallest" },
    { sizes: [1, 7, 1, 9], lanes: 4, relu: true, why: "single values between layers" },
    { sizes: [3, 11, 6, 2], lanes: 5, relu: false, why: "signed hidden layers, odd lanes" },
    { sizes: [9, 10, 10, 10, 7], lanes: 3, relu: "mixed" as const, why: "mixed activations" },
    { sizes: [2, 40, 3], lanes: 16, relu: true, why: "more lanes than inputs" },
    { sizes: [6, 4, 300], lanes: 7, relu: false, why: "more outputs than activations" },
  ])(
    "equals the integer graph at every tap: $sizes on $lanes lanes ($why)",
    ({ sizes, lanes, relu }) => {
      const built = build(randomGraph(sizes, { seed: 11, relu }), lanes);
      const rows = randomRows(40, sizes[0] ?? 1, 5);
      expectEqual(
        built,
        rows,
        runIcarus(built.verilog, rows, { watch, outputs: sizes.at(-1) ?? 1 }),
      );
    },
  );

  it.each([
    { sizes: [16, 16, 8, 8, 5], lanes: 16, choice: { paired: true }, why: "two products a block" },
    { sizes: [3, 11, 6, 2], lanes: 5, choice: { paired: true }, why: "half a block too many" },
    { sizes: [7, 30, 9], lanes: 12, choice: { inCells: 5 }, why: "blocks and logic cells" },
    { sizes: [7, 30, 9], lanes: 12, choice: { inCells: 12 }, why: "logic cells alone" },
  ])(
    "equals the integer graph however it multiplies: $sizes on $lanes lanes ($why)",
    ({ sizes, lanes, choice }) => {
      const built = build(randomGraph(sizes, { seed: 12, relu: "mixed" }), lanes, choice);
      const rows = randomRows(40, sizes[0] ?? 1, 6);
      const verilog = choice.paired ? `${built.verilog}\n${cells}` : built.verilog;
      expectEqual(built, rows, runIcarus(verilog, rows, { watch, outputs: sizes.at(-1) ?? 1 }));
    },
  );

  it.each([
    { sizes: [4, 16, 8, 3], lanes: 8, tables: "same", why: "one table for two layers" },
    {
      sizes: [5, 9, 7, 6, 8, 4],
      lanes: 4,
      tables: "some",
      why: "tables of both signs beside ReLU",
    },
    { sizes: [2, 1, 3], lanes: 2, tables: "some", why: "a single value looked up" },
    { sizes: [6, 33, 20], lanes: 16, tables: "same", why: "more values than inputs" },
  ] as const)(
    "looks hidden values up in tables: $sizes on $lanes lanes ($why)",
    ({ sizes, lanes, tables }) => {
      const built = build(randomGraph(sizes, { seed: 13, relu: "mixed", tables }), lanes);
      expect(built.graph.nodes.some(({ op }) => op === "table")).toBe(true);
      const rows = randomRows(40, sizes[0], 7);
      const shape = { watch: [...watch, "tap_table"], outputs: built.graph.output.size };
      expectEqual(built, rows, runIcarus(built.verilog, rows, shape));
    },
  );

  it("shows a wrong entry of a table in that table's values first", () => {
    const built = build(randomGraph([6, 9, 7, 3], { seed: 6, relu: true, tables: "same" }), 4);
    const rows = randomRows(20, 6, 3);
    const [row = new Int8Array()] = rows;
    const looked = runIntegerGraph(built.graph, row).nodes.get("requantize_0")?.[4] ?? 0;
    const verilog = withFlippedBit(built.verilog, {
      memory: "tables",
      word: looked & 1023,
      bit: 6,
      width: 8,
    });
    const shape = { watch: [...watch, "tap_table"], outputs: 3 };
    const [answer] = runIcarus(verilog, rows, shape);
    expect(firstDifference(built, row, answer as IcarusAnswer)).toMatch(/^table_0\[\d\]$/);
  });

  it.each(
    sampleIds.flatMap((id) =>
      Object.entries(precisions).map(([name, each]) => [id, name, each] as const),
    ),
  )("equals the integer graph of %s, %s, on its vector file", (id, _, precision) => {
    const { graph: float, card } = loadSample(id);
    const { integerGraph, vectors } = lowerDense({
      graph: float,
      inputRange: card.inputRange ?? null,
      calibration: null,
      precision,
    });
    const part = {
      lut: 5280,
      ff: 5280,
      bramBlocks: 30,
      bramBlockBits: 4096,
      dsp: 8,
      costs: familyCosts("ice40"),
    };
    const layers = layersOf(integerGraph).map(({ dense }) => dense);
    const result = chooseLanes(layers, 24, part);
    expect(result.ok).toBe(true);
    const built = build(integerGraph, result.ok ? result.choice.schedule.lanes : 1);
    const rows = vectors().slice(0, 200);
    expectEqual(
      built,
      rows,
      runIcarus(built.verilog, rows, { watch, outputs: integerGraph.output.size }),
    );
  });

  it("waits for a slow sender and a slow reader", () => {
    const built = build(randomGraph([5, 9, 4], { seed: 2, relu: true }), 4);
    const rows = randomRows(30, 5, 8);
    expectEqual(built, rows, runIcarus(built.verilog, rows, { watch, outputs: 4, stall: true }));
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
    ...[1, 4, 9, 17, 26].map((cycle) => ({
      why: `a reset ${cycle} cycles into a run`,
      extra: `send_row(0); repeat (${cycle}) @(negedge clk); ${reset}`,
    })),
    {
      why: "a reset while the answer is read",
      extra: `send_row(0); while (!out_valid) @(negedge clk); out_ready = 1; @(negedge clk); out_ready = 0; ${reset}`,
    },
  ])("answers the next rows rightly after $why", ({ extra }) => {
    const built = build(randomGraph([6, 9, 4], { seed: 4, relu: true }), 4);
    const rows = randomRows(3, 6, 21);
    expectEqual(built, rows, runIcarus(built.verilog, rows, { watch, outputs: 4, extra }));
  });

  it.each([0, 1, 2])("shows a wrong weight of layer %i in that layer's sums first", (layer) => {
    const built = build(randomGraph([6, 9, 7, 3], { seed: 6, relu: true }), 4);
    const place = { layer, output: 2, input: 5 };
    const verilog = withFlippedBit(built.verilog, locateWeight(built.schedule, place));
    const rows = randomRows(20, 6, 3);
    const answers = runIcarus(verilog, rows, { watch, outputs: 3 });
    const found = rows.map((row, i) => firstDifference(built, row, answers[i] as IcarusAnswer));
    expect(new Set(found.filter((name) => name !== null))).toEqual(new Set([`dense_${layer}[2]`]));
  });

  it.each([0, 1, 2])("shows a wrong shift of layer %i in that layer's values first", (layer) => {
    const built = build(randomGraph([6, 9, 7, 3], { seed: 6, relu: false }), 4);
    const verilog = withFlippedBit(built.verilog, locateShift(built.graph, { layer, output: 1 }));
    const rows = randomRows(20, 6, 3);
    const answers = runIcarus(verilog, rows, { watch, outputs: 3 });
    const found = rows.map((row, i) => firstDifference(built, row, answers[i] as IcarusAnswer));
    expect(new Set(found.filter((name) => name !== null))).toEqual(
      new Set([`requantize_${layer}[1]`]),
    );
  });
});

describe("the emitted text", () => {
  it("is the same for equal graphs and holds no time, path or version", () => {
    const emit = () => build(randomGraph([3, 5, 2], { seed: 1, relu: true }), 2).verilog;
    expect(emit()).toBe(emit());
    expect(emit()).not.toMatch(/\/tmp|\/home|20\d\d-/);
  });

  it("holds weights and constants in the order in which they are used", () => {
    const graph = randomGraph([2, 3], { seed: 1, relu: true });
    const [{ dense, requantize } = { dense: undefined, requantize: undefined }] = layersOf(graph);
    const { verilog } = build(graph, 2);
    const byte = (value = 0) => (value & 255).toString(16).padStart(2, "0");
    const [a, b, c, d, e, f] = dense?.weights ?? [];
    // Words of {lane 1, lane 0}: outputs 0 and 1 for each input, then output 2 with an empty lane beside it.
    expect(verilog).toContain(`\
    weights_0[0] = 16'h${byte(c)}${byte(a)};
    weights_0[1] = 16'h${byte(d)}${byte(b)};
    weights_0[2] = 16'h00${byte(e)};
    weights_0[3] = 16'h00${byte(f)};`);
    const width = 17;
    const shift = BigInt(requantize?.shift[2] ?? 0);
    const word = (shift << BigInt(width)) | BigInt.asUintN(width, BigInt(dense?.bias[2] ?? 0));
    expect(dense?.accumulatorWidth).toBeLessThanOrEqual(width);
    expect(verilog).toContain(`constants[2] = 21'h${word.toString(16).padStart(6, "0")};`);
  });
});

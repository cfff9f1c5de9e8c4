import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cellModelsOf } from "@/boards/cell-models";
import { type Graph, lower, precisions, runIntegerGraph } from "@/compiler";
import { randomFrom } from "@/compiler/random";
import { getEngine, loadReader, readModel } from "@/engines";
import { coreNetlistScript, coreSimulation } from "@/engines/fpga/steps";
import { adderProgramSchema, runAdders } from "@/engines/reference/adder-program";
import { digestOf } from "@/lib/server/digest";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { mapGraph } from "@/tests/support/compiler/map-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { quantizedGraph } from "@/tests/support/compiler/quantized-graph";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { rowsFor, simulateAdders } from "@/tests/support/da4ml/simulate-adders";
import { openWorkbench, type Workbench } from "./support/plan-runner";

// Networks of adders by da4ml itself, behind the stream port of a core: Yosys and Icarus read them.

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

describe.each([
  { sizes: [1, 1], relu: false, levels: 1 },
  { sizes: [2, 2, 1], relu: true, levels: 2 },
  { sizes: [4, 8, 3], relu: "mixed", levels: 3 },
  { sizes: [5, 6, 4, 2], relu: true, levels: 16 },
] as const)("adders of $sizes with $levels between registers", ({ sizes, relu, levels }) => {
  const graph = randomGraph(sizes, { seed: 3, relu });
  const rows = rowsFor(graph, { count: 64, integer: randomFrom(5).integer });
  const wanted = rows.map((row) => [...runIntegerGraph(graph, row).output]);

  it("answer as the integer graph does, in as many cycles as are planned", async () => {
    const { run, latencyCycles } = await simulateAdders(graph, { bench, levels });
    for (const [at, row] of rows.entries()) {
      expect(run(row)).toEqual({ values: wanted[at], cycles: latencyCycles });
    }
    const answers = runIcarus(await bench.text("core.v"), rows.slice(0, 12), {
      outputs: graph.output.size,
      stall: true,
    });
    expect(answers.map(({ values }) => [...values])).toEqual(wanted.slice(0, 12));
  }, 300_000);
});

/** Integer graphs of other nodes than dense layers, each lowered by the passes of a build. */
function lowered(graph: Graph) {
  const size = (graph.inputs[0]?.shape ?? []).slice(1).reduce((product, each) => product * each, 1);
  const bounds = (value: number) => Array<number>(size).fill(value);
  const inputRange = { min: bounds(-1), max: bounds(1) };
  const asked = { graph, inputRange, calibration: null, precision: precisions.smallest };
  return lower(asked).integerGraph;
}
const signed = (fraction: number) => ({ type: "INT8" as const, zero: 0, fraction });

function maps(): Graph {
  const net = mapGraph([-1, 2, 5, 5]);
  const padded = net.conv(net.input, [3, 2, 3, 3], { pads: [1, 1, 1, 1], strides: [2, 2] });
  const pooled = net.add("MaxPool", [net.relu(padded)], {
    attributes: { kernel_shape: [2, 2], strides: [1, 1] },
  });
  const grouped = net.conv(pooled, [3, 1, 1, 1], { group: 3 });
  const both = net.add("Add", [net.relu(grouped), pooled]);
  return net.finish(net.dense(net.relu(both), 12, 3), [-1, 3]);
}

describe.each([
  {
    what: "tables of 10 bits",
    make: () => randomGraph([3, 4, 3, 2], { seed: 5, relu: "mixed", tables: "some" }),
    ops: ["dense", "requantize", "table"],
  },
  {
    what: "one table for every layer",
    make: () => randomGraph([2, 3, 2], { seed: 6, relu: false, tables: "same" }),
    ops: ["table"],
  },
  {
    what: "rounding of halves to even, and bounds",
    make: () =>
      lowered(
        quantizedGraph({
          sizes: [4, 6, 3],
          input: { type: "UINT8", zero: 3, fraction: 5 },
          stops: [{ type: "UINT8", zero: 7, fraction: 3 }, null],
          between: ["Relu", null],
        }),
      ),
    ops: ["dense", "requantize"],
  },
  {
    what: "rounding and a function between two stops",
    make: () =>
      lowered(
        quantizedGraph({ sizes: [3, 4, 2], input: signed(5), stops: [signed(3), signed(2)] }),
      ),
    ops: ["requantize"],
  },
  {
    what: "convolutions, a pool and a sum of maps",
    make: () => lowered(maps()),
    ops: ["convolution", "max-pool", "add", "requantize"],
  },
])("adders of a network with $what", ({ make, ops }) => {
  it("answer as the integer graph does", async () => {
    const graph = make();
    expect(graph.nodes.map(({ op }) => op)).toEqual(expect.arrayContaining(ops));
    const rows = rowsFor(graph, { count: 200, integer: randomFrom(5).integer });
    const { run, latencyCycles } = await simulateAdders(graph, { bench, levels: 3 });
    for (const row of rows) {
      const values = [...runIntegerGraph(graph, row).output];
      expect(run(row)).toEqual({ values, cycles: latencyCycles });
    }
    expect(new Set(rows.map((row) => run(row).values.join())).size).toBeGreaterThan(20);
  }, 300_000);
});

describe("a network that da4ml makes too large for the part", () => {
  it("is refused by its own count of bits, with the cells that it needs", async () => {
    const plan = getEngine("hls4ml").plan(planRequest("iris-mlp", "icestick"));
    for (const [name, content] of plan.files) await bench.write(name, content);
    const [step] = plan.steps;
    if (!step) throw new Error("a plan has steps");
    await expect(bench.step(step, "hls4ml")).rejects.toThrow("does not fit");
    expect(JSON.parse(await bench.text("problem.json"))).toMatchObject({
      reason: "MODEL_TOO_LARGE",
      message: expect.stringMatching(/needs? about [\d,]+ logic cells of [\d,]+ usable/),
    });
  });
});

describe.each(["mlp", "conv", "table", "einsum"])("a Keras file with layers of HGQ2: %s", (id) => {
  it("becomes a core that answers every vector as da4ml's program, which answers as Keras does", async () => {
    const bytes = new Uint8Array(readFileSync(`tests/fixtures/hgq2/${id}.keras`));
    await loadReader("keras");
    const base = planRequest("iris-mlp", "ulx3s-85f", { card: null });
    const options = { width: 8, integerBits: 3 };
    const model = readModel(bytes, digestOf(bytes));
    const plan = getEngine("hls4ml").plan({ ...base, model, options });
    const core = plan.core;
    if (!core) throw new Error("firmware has a core");
    for (const [name, content] of plan.files) await bench.write(name, content);
    await bench.write("core-netlist.ys", coreNetlistScript);
    await bench.write("cells.v", cellModelsOf(base.board.part));
    for (const step of [...plan.steps.slice(0, 2), ...coreSimulation([])])
      await bench.step(step, "hls4ml");
    const program = adderProgramSchema.parse(JSON.parse(await bench.text("graph.json")));
    const codes = new Set(program.operations.map(({ code }) => code));
    expect(codes.has("lookup")).toBe(id === "table");
    const runner = createCoreRunner(loadSimulation(await bench.bytes("simulation.wasm")), core);
    for (const row of plan.vectors)
      expect(wordsOf(runner.run(row).output)).toEqual(runAdders(program, row).output);
    expect(plan.vectors.length).toBeGreaterThan(800);
  }, 300_000);
});

const wordsOf = (output: ArrayLike<number>): Int32Array => {
  const bytes = Buffer.from(Uint8Array.from(output));
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(4 * at));
};

describe("a Keras file with layers of HGQ2", () => {
  const files = unzipSync(new Uint8Array(readFileSync("tests/fixtures/hgq2/mlp.keras")));
  const trace = async (edit: (config: string) => string) => {
    const config = strToU8(edit(strFromU8(files["config.json"] ?? new Uint8Array())));
    const bytes = zipSync({ ...files, "config.json": config });
    await loadReader("keras");
    const model = readModel(bytes, digestOf(bytes));
    const plan = getEngine("hls4ml").plan({
      ...planRequest("iris-mlp", "ulx3s-25f", { card: null }),
      model,
    });
    for (const [name, content] of plan.files) await bench.write(name, content);
    const [step] = plan.steps;
    if (!step) throw new Error("a plan has steps");
    await bench.step(step, "hls4ml");
  };
  const problem = async () => JSON.parse(await bench.text("problem.json"));

  it("is traced whatever its layers are called", async () => {
    const name = "a$(touch made-by-a-name);b";
    await trace((config) => config.replaceAll('"hidden"', JSON.stringify(name)));
    expect(JSON.parse(await bench.text("network.json"))).toMatchObject({ stages: 5 });
    expect(existsSync(join(bench.folder, "made-by-a-name"))).toBe(false);
    expect(await bench.text("core.v").catch(() => "")).not.toContain("made-by-a-name");
  }, 300_000);

  it("is refused in da4ml's words where da4ml cannot trace it", async () => {
    const edit = (config: string) => config.replace('"activation": "relu"', '"activation": "tanh"');
    await expect(trace(edit)).rejects.toThrow("da4ml cannot trace the model");
    expect(await problem()).toMatchObject({
      reason: "MODEL_UNSUPPORTED",
      message: expect.stringContaining("tanh"),
    });
  }, 300_000);

  it("is refused in Keras's words where HGQ2 cannot load it", async () => {
    const edit = (config: string) => config.replace('"q_type": "kif"', '"q_type": "no-such-type"');
    await expect(trace(edit)).rejects.toThrow("Keras cannot load the model");
    expect(await problem()).toMatchObject({ reason: "MODEL_UNSUPPORTED" });
  }, 300_000);
});

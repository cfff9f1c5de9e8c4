import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIntegerGraph } from "@/compiler";
import { randomFrom } from "@/compiler/random";
import { getEngine, loadReader, readModel } from "@/engines";
import { digestOf } from "@/lib/server/digest";
import { planRequest } from "@/tests/support/compiler/plan-request";
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

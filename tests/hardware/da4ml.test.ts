import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIntegerGraph } from "@/compiler";
import { randomFrom } from "@/compiler/random";
import { getEngine } from "@/engines";
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

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine, type Plan } from "@/engines";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { bondmachineTools } from "@/tests/support/bondmachine/install-fakes";
import { loadRecording, recordedGraph } from "@/tests/support/bondmachine/recordings";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { openWorkbench, type Workbench } from "./support/plan-runner";

// Where the real tools are not, stand-ins of ours make the machine, with the ports, handshakes and habits of the real ones.
const engine = getEngine("bondmachine");

function planOf(net: string, board: string): Plan {
  const base = planRequest("iris-mlp", board);
  const model = { ...base.model, graph: recordedGraph(net) };
  return engine.plan({
    ...base,
    model,
    card: null,
    options: { dataType: loadRecording(net).type },
  });
}

const tools = bondmachineTools();
afterAll(() => tools.remove());

async function prepare(plan: Plan): Promise<Workbench> {
  const bench = await openWorkbench(tools.folder);
  for (const [name, content] of plan.files) await bench.write(name, content);
  for (const step of plan.steps) await bench.step(step, "bondmachine");
  return bench;
}

const bytesOf = (words: readonly number[], width: number) => {
  const bytes = Buffer.alloc((words.length * width) / 8);
  for (const [at, word] of words.entries()) bytes.writeIntLE(word, (at * width) / 8, width / 8);
  return bytes;
};

describe.each([
  { net: "1-1-fps16f8", board: "icebreaker" },
  { net: "2-2-1-relu-fps32f16", board: "ulx3s-25f" },
  { net: "4-4-2-fps16f8", board: "icebreaker" },
])("the machine $net on $board", ({ net, board }) => {
  const { vectors } = loadRecording(net);
  const width = net.endsWith("fps32f16") ? 32 : 16;
  const plan = planOf(net, board);
  let bench: Workbench;
  beforeAll(async () => {
    bench = await prepare(plan);
  }, 300_000);
  afterAll(() => bench.close());

  it("answers the recorded rows behind the stream port, within its schedule", async () => {
    const { core } = plan;
    if (!core) throw new Error("firmware has a core");
    const runner = createCoreRunner(loadSimulation(await bench.bytes("simulation.wasm")), {
      ...core,
      cycleLimit: 10_000,
    });
    for (const row of vectors.rows) {
      const { output, cycles } = runner.run(bytesOf(row.in, width));
      expect(Buffer.from(output)).toEqual(bytesOf(row.out, width));
      expect(cycles).toBeLessThanOrEqual(core.latencyCycles);
    }
  });

  it("answers them in Icarus too, which knows what no reset has set", async () => {
    const rows = vectors.rows.slice(0, 12);
    const answers = runIcarus(
      await bench.text("core.v"),
      rows.map((row) => new Int8Array(bytesOf(row.in, width))),
      { outputs: rows[0]?.out.length ?? 0, bytesPerOutput: width / 8, stall: true },
    );
    expect(answers.map(({ values }) => [...values])).toEqual(rows.map((row) => row.out));
  });

  it("goes on with the next row after a reset at any time", async () => {
    const simulation = loadSimulation(await bench.bytes("simulation.wasm"));
    const { core } = plan;
    if (!core) throw new Error("firmware has a core");
    const [first, second] = [vectors.rows[3], vectors.rows[5]];
    if (!first || !second) throw new Error("rows were recorded");
    const offer = (bytes: Buffer) => {
      for (const [at, byte] of bytes.entries()) {
        simulation.set("in_valid", 1);
        simulation.set("in_data", byte);
        simulation.set("in_last", at === bytes.length - 1 ? 1 : 0);
        simulation.eval();
        simulation.stepUntil("in_ready", 10_000);
        simulation.step();
      }
      simulation.set("in_valid", 0);
      simulation.eval();
    };
    const reset = () => {
      simulation.set("rst", 1);
      simulation.step();
      simulation.set("rst", 0);
      simulation.set("out_ready", 1);
      simulation.eval();
    };
    simulation.reset();
    reset();
    for (let after = 0; after < 60; after++) {
      offer(bytesOf(first.in, width));
      simulation.step(after);
      reset();
      offer(bytesOf(second.in, width));
      const answer: number[] = [];
      while (answer.length < core.outputBytes) {
        simulation.stepUntil("out_valid", 10_000);
        expect(simulation.get("out_valid")).toBe(1);
        answer.push(simulation.get("out_data"));
        simulation.step();
      }
      expect(Buffer.from(answer), `reset after ${after} cycles`).toEqual(
        bytesOf(second.out, width),
      );
    }
  });

  it("answers as the netlist that is placed, through its serial line", async () => {
    const [variant] = plan.variants;
    if (!variant) throw new Error("firmware has a clock");
    for (const [name, content] of variant.files) await bench.write(name, content);
    for (const step of plan.synthesis) await bench.step(step);
    for (const step of variant.steps) {
      if (step.stage === "synthesise" || step.stage === "simulate") await bench.step(step);
    }
    expect(await bench.prove(plan, variant, 6)).toBe(6);
  }, 300_000);
});

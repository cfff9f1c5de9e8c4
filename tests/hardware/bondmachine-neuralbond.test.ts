import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { getEngine, type Plan } from "@/engines";
import { readModel } from "@/engines/read-model";
import { bondmachineTools } from "@/tests/support/bondmachine/install-fakes";
import { loadNeuralbond, neuralbondNets, programsOf } from "@/tests/support/bondmachine/recordings";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { openWorkbench, type Workbench } from "./support/plan-runner";

// Where the real tools are not, stand-ins of ours make the machine of the fragments that neuralbond's stand-in wrote.
const engine = getEngine("bondmachine");
const tools = bondmachineTools();
afterAll(() => tools.remove());

/** Cycles from the wrapper's last byte to the machine's inputs, and from its last output to the first byte. */
const wrapperCycles = 5;

function planOf(net: string): Plan {
  const base = planRequest("iris-mlp", "ulx3s-85f", { card: null });
  const { network, vectors } = loadNeuralbond(net);
  const { type, expprec } = vectors;
  const options = {
    ...{ dataType: type, flow: "neuralbond", collapse: net.endsWith("collapsed") },
    ...(expprec === undefined ? {} : { softmax: "hardware", expprec }),
  };
  const model = readModel(new TextEncoder().encode(network), base.model.digest);
  return engine.plan({ ...base, model, options });
}

const bytesOf = (words: readonly number[], width: number) => {
  const bytes = Buffer.alloc((words.length * width) / 8);
  for (const [at, word] of words.entries()) {
    bytes.writeIntLE(Number(BigInt.asIntN(width, BigInt(word))), (at * width) / 8, width / 8);
  }
  return new Int8Array(bytes);
};

describe.each(neuralbondNets)("the machine of fragments %s", (net) => {
  const { machine, vectors } = loadNeuralbond(net);
  const width = vectors.type === "float32" ? 32 : 16;
  let bench: Workbench;
  beforeEach(async () => {
    bench = await openWorkbench(tools.folder);
    const plan = planOf(net);
    for (const [name, content] of plan.files) await bench.write(name, content);
    for (const step of plan.steps) {
      if (step.stage === "synthesise") await bench.step(step, "bondmachine");
    }
  }, 300_000);
  afterEach(() => bench.close());

  it("answers the recorded rows bit for bit, in the recorded cycles", async () => {
    const { rows } = vectors;
    const answers = runIcarus(
      await bench.text("core.v"),
      rows.map((row) => bytesOf(row.in, width)),
      { outputs: rows[0]?.out.length ?? 0, bytesPerOutput: width / 8 },
    );
    expect(answers.map(({ values }) => [...values])).toEqual(
      rows.map((row) => row.out.map((word) => Number(BigInt.asIntN(width, BigInt(word))))),
    );
    for (const [at, { cycles }] of answers.entries()) {
      const recorded = rows[at]?.cycles ?? 0;
      expect(Math.abs(cycles - wrapperCycles - recorded)).toBeLessThanOrEqual(3);
    }
  }, 120_000);

  it("has the programs that basm wrote, instruction by instruction", async () => {
    expect(programsOf(await bench.text("bm.json"))).toEqual(programsOf(machine));
  });
});

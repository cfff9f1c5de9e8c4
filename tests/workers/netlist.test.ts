import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firmware } from "./firmware";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

// Synthesis that goes wrong after the Verilog was proven: the build must end before there is a bitstream, and say why.

let stack: WorkerStack;

beforeAll(async () => {
  stack = await startWorkerStack();
});
afterAll(() => stack.stop());

describe("a build whose synthesis", { timeout: 900_000 }, () => {
  it.each([
    {
      what: "loses the first words of a weight memory",
      sample: "iris-mlp",
      damage: "setparam -set INIT_0 256'h0 top/shell.core.weights_0.0.0",
      failing: "verify",
      reason: "VERIFICATION_FAILED",
      message: /^The synthesised netlist answers vector \d+ otherwise than the software model\.$/,
    },
    {
      what: "turns its output upside down",
      sample: "pair",
      damage: "setparam -set LUT_INIT 16'h00ff top/t:SB_LUT4",
      failing: "verify",
      reason: "VERIFICATION_FAILED",
      message: /^The synthesised netlist does not answer on its serial line\.$/,
    },
    {
      what: "leaves a cell without a model",
      sample: "pair",
      damage: "chtype -set SB_STRANGE top/t:SB_CARRY",
      failing: "simulate",
      reason: "CELL_UNSUPPORTED",
      message: /SB_STRANGE/,
    },
  ])("$what fails", async ({ what, sample, damage, failing, reason, message }) => {
    const mutation = join(stack.home, `${reason}.json`);
    writeFileSync(
      mutation,
      JSON.stringify({
        file: "synthesise.ys",
        from: " -json mapped.json",
        to: `\n${damage}\nwrite_json mapped.json`,
      }),
    );
    const worker = stack.startBuilder({ mutation: `file:${mutation}` });
    const name = what.replaceAll(/[^a-z]+/g, "-");
    const id = await stack.deploy(firmware(name, sample));
    const build = await stack.ended(id);
    await worker.close();
    expect(build.problem?.reason).toBe(reason);
    expect(build.problem?.message).toMatch(message);
    expect(build.state).toBe("failed");
    expect(build.artifactDigest).toBeNull();
    const stageOf = (name: string) => build.stages.find((stage) => stage.name === name);
    expect(stageOf("synthesise")?.state).toBe("succeeded");
    expect(stageOf(failing)?.state).toBe("failed");
    // Placing goes on meanwhile, and may be done first.
    const { state, reason: why } = stageOf("place") ?? {};
    if (state !== "succeeded")
      expect([state, why]).toEqual(["skipped", `Not finished, since ${failing} failed.`]);
    expect(stageOf("store")?.state).toBe("waiting");
  });
});

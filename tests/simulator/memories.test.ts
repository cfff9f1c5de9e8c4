import { describe, expect, it } from "vitest";
import { judge, parametersOf } from "./support/judge";
import { drawMemory, drawWideMemory } from "./support/memories";
import { createRandom } from "./support/random";

const seed = Number(process.env["SIMULATOR_SEED"] ?? 815);

describe(`memories against Icarus, seed ${seed}`, () => {
  it.each([
    { what: "asynchronous ports", draw: drawMemory, commands: "memory_collect" },
    {
      what: "synchronous ports",
      draw: drawMemory,
      commands: "opt_clean; memory_dff; memory_collect",
      synchronous: true,
    },
    {
      what: "words over 64 bits",
      draw: drawWideMemory,
      commands: "memory_collect",
    },
    {
      what: "synchronous ports over 64 bits",
      draw: drawWideMemory,
      commands: "opt_clean; memory_dff; memory_collect",
      synchronous: true,
    },
  ])("$what read and write what Verilog says", async ({ what, draw, commands, synchronous }) => {
    const random = createRandom(seed);
    const candidates = Array.from({ length: 200 }, (_, at) => draw(`t${at}`, random, 64));
    const verdict = await judge(candidates, `proc; ${commands}; opt_clean`);
    const share = verdict.masked / verdict.compared;
    console.log(
      `memories, ${what}: ${(100 * share).toFixed(2)} % of ${verdict.compared} bits masked`,
    );
    expect(verdict.missing).toEqual([]);
    expect(verdict.failures.slice(0, 3)).toEqual([]);
    const clocked = parametersOf(verdict.netlist, "$mem_v2", "RD_CLK_ENABLE");
    expect(clocked.some((ports) => ports.includes("1"))).toBe(synchronous ?? false);
    if (synchronous && draw === drawMemory) {
      const transparent = parametersOf(verdict.netlist, "$mem_v2", "RD_TRANSPARENCY_MASK");
      expect(transparent.some((ports) => ports.includes("1"))).toBe(true);
    }
    expect(share).toBeLessThanOrEqual(0.05);
  });
});

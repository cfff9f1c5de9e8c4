import { describe, expect, it } from "vitest";
import { drawClocked } from "./support/clocked-designs";
import { judge } from "./support/judge";
import { createRandom } from "./support/random";

const seed = Number(process.env["SIMULATOR_SEED"] ?? 8_150);
const commands = "proc; memory_collect; opt_clean";

describe(`designs with enables and pipelines against Icarus, seed ${seed}`, () => {
  it.each([
    { why: "without circles", count: 30, registers: 60, noise: 0.005, circular: 0 },
    { why: "with circles", count: 30, registers: 60, noise: 0.005, circular: 0.02 },
    { why: "longer than a function", count: 1, registers: 1200, noise: 0, circular: 0 },
  ])("$why: every register follows, cycle by cycle", async ({ count, ...shape }) => {
    const random = createRandom(seed + shape.registers + 1000 * shape.circular);
    const candidates = Array.from({ length: count }, (_, index) =>
      drawClocked(`t${index}`, random, { ...shape, vectors: 96 }),
    );
    const { compared, masked, failures, missing } = await judge(candidates, commands);
    expect(missing).toEqual([]);
    expect(failures.map((failure) => failure.split(";")[0]).slice(0, 3)).toEqual([]);
    expect(masked).toBe(0);
    expect(compared).toBeGreaterThan(0);
  });
});

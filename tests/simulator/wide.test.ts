import { describe, expect, it } from "vitest";
import { judge } from "./support/judge";
import { createRandom } from "./support/random";
import { drawWide, wideKinds } from "./support/wide-cells";

const seed = Number(process.env["SIMULATOR_SEED"] ?? 6_502);

describe(`cells wider than 64 bits against Icarus, seed ${seed}`, () => {
  it("computes what Verilog says", async () => {
    const random = createRandom(seed);
    const candidates = wideKinds.flatMap((kind, index) =>
      Array.from({ length: 12 }, (_, at) => drawWide(kind, `t${index}_${at}`, random, 64)),
    );
    const { compared, masked, failures, missing } = await judge(candidates);
    console.log(`wide cells: ${candidates.length} designs, ${masked} of ${compared} bits masked`);
    expect(missing).toEqual([]);
    expect(failures.slice(0, 3)).toEqual([]);
    expect(masked / compared).toBeLessThanOrEqual(0.05);
  });
});

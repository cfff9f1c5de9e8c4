import { describe, expect, it } from "vitest";
import { judge } from "./support/judge";
import { createRandom } from "./support/random";
import { drawRegister, registerKinds } from "./support/registers";

const seed = Number(process.env["SIMULATOR_SEED"] ?? 4_711);

describe(`flip-flops against Icarus, seed ${seed}`, () => {
  it.each(registerKinds.map((kind, index) => ({ kind, index, cell: kind.cell })))(
    "$cell follows its controls through a sequence",
    async ({ kind, index, cell }) => {
      const random = createRandom(seed + index);
      const candidates = Array.from({ length: 200 }, (_, at) =>
        drawRegister(kind, `t${at}`, random, 64),
      );
      const { compared, masked, failures, missing } = await judge(candidates);
      console.log(`${cell}: ${candidates.length} designs, ${masked} of ${compared} bits masked`);
      expect(missing).toEqual([]);
      expect(failures.slice(0, 3)).toEqual([]);
      expect(masked).toBe(0);
    },
  );
});

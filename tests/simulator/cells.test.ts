import { describe, expect, it } from "vitest";
import { cellKinds, draw } from "./support/cells";
import { judge } from "./support/judge";
import { createRandom } from "./support/random";

const seed = Number(process.env["SIMULATOR_SEED"] ?? 20_240);
const designs = 200;
const vectors = 64;
/** Icarus answers x to a division by zero or an index out of range; more than this share would hide mistakes. */
const maxMaskedShare = 0.05;

describe(`combinational cells against Icarus, seed ${seed}`, () => {
  it.each(cellKinds.map((kind, index) => ({ kind, index, cell: kind.cell })))(
    "$cell computes what Verilog says",
    async ({ kind, index, cell }) => {
      const random = createRandom(seed + index);
      const candidates = Array.from({ length: designs }, (_, at) =>
        draw(kind, `t${at}`, random, vectors),
      );
      const { compared, masked, failures, missing } = await judge(candidates);
      const share = masked / compared;
      console.log(
        `${cell}: ${designs} designs, ${vectors} vectors each, ${(100 * share).toFixed(2)} % of ${compared} bits masked`,
      );
      expect(missing).toEqual([]);
      expect(failures.slice(0, 3)).toEqual([]);
      expect(share).toBeLessThanOrEqual(maxMaskedShare);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Variant } from "@/engines";
import {
  clockCells,
  compareBehaviour,
  filledDesign,
  planOfTrees,
  topOf,
  wholeDesign,
} from "./filled-designs";
import { openWorkbench, type Workbench } from "./plan-runner";

/** A netlist whose clock and identity are filled in is the netlist that synthesis makes with them. */
export function describeFilling(boards: readonly string[]): void {
  describe.each(boards)("a small design on %s", { timeout: 900_000 }, (board) => {
    const plan = planOfTrees(board);
    const other = planOfTrees(board, "second");
    const [fastest] = plan.variants;
    const slowest = plan.variants.at(-1);
    const clocks = [...new Set([fastest, slowest])].filter((each) => each !== undefined);
    let bench: Workbench;

    beforeAll(async () => {
      bench = await openWorkbench();
      for (const [name, content] of plan.files) await bench.write(name, content);
      for (const step of plan.synthesis) await bench.step(step);
    });
    afterAll(() => bench.close());

    it("is synthesised from the same bytes whatever its identity", () => {
      expect(other.digest).not.toBe(plan.digest);
      for (const name of plan.synthesis.flatMap(({ reads }) => reads))
        expect(other.files.get(name)).toEqual(plan.files.get(name));
    });

    it("differs with another identity in the contents of its tables alone", async () => {
      const same = other.variants.find(({ clockHz }) => clockHz === fastest?.clockHz);
      const [mine, others] = [
        topOf(await filledDesign(bench, fastest as Variant)),
        topOf(await filledDesign(bench, same as Variant)),
      ];
      expect(Object.keys(others.cells)).toEqual(Object.keys(mine.cells));
      const differing = Object.entries(mine.cells).filter(
        ([name, cell]) => JSON.stringify(cell) !== JSON.stringify(others.cells[name]),
      );
      expect(differing.length).toBeGreaterThan(8);
      for (const [name, cell] of differing) {
        expect(name).toMatch(/^shell\.identity\.tables\[\d+\]\.part\.table$/);
        expect({ ...others.cells[name], parameters: {} }).toEqual({ ...cell, parameters: {} });
      }
      expect({ ...others, cells: {} }).toEqual({ ...mine, cells: {} });
    });

    it.each(clocks)("is at $name what synthesis makes of it at that clock", async (variant) => {
      const filled = await filledDesign(bench, variant);
      const whole = await wholeDesign(bench, plan, variant);
      expect(clockCells(filled)).toEqual(clockCells(whole));
      // A clock that a flip-flop halves is data too, which a simulation of one clock does not have.
      if (Object.keys(topOf(filled).cells).some((name) => /\bhalf$/.test(name))) return;
      const { said, firstDifference } = await compareBehaviour(bench, { plan, variant }, [
        filled,
        whole,
      ]);
      expect(firstDifference).toBeNull();
      expect(said).toBeGreaterThan(100);
    });
  });
}

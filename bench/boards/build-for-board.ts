import type { BoardModel } from "@/boards";
import { getFamily } from "@/boards";
import { getEngine } from "@/engines";
import { openWorkbench } from "@/tests/hardware/support/plan-runner";
import { planRequest } from "@/tests/support/compiler/plan-request";

export interface BuiltForBoard {
  /** Null where a vendor's tool makes it. */
  readonly bitstreamBytes: number | null;
  /** That tool, as people call it. */
  readonly needs: string | null;
  readonly projectBytes: number;
  readonly cycles: number;
  readonly clockHz: number;
  readonly achievedMhz: number | null;
  /** Rows that the synthesised netlist answered like the integer graph. */
  readonly proven: number;
}

const rows = 5;
const model = "iris-mlp";

/**
 * Runs a plan's variants until one meets its clock, by open tools alone, and proves each netlist.
 *
 * @throws {AppError} of the engine or of the proof; {Error} of a tool, or where no clock is met.
 */
export async function buildForBoard(board: BoardModel): Promise<BuiltForBoard> {
  const engine = getEngine("boardwalk");
  const { bitstream, vendor } = getFamily(board.part);
  const plan = engine.plan(planRequest(model, board.id, { options: { architecture: "array" } }));
  const bench = await openWorkbench();
  try {
    for (const [name, content] of plan.files) await bench.write(name, content);
    for (const variant of plan.variants) {
      for (const [name, content] of variant.files) await bench.write(name, content);
      let proven = 0;
      for (const step of variant.steps) {
        await bench.step(step);
        if (step.produces.includes(variant.netlistSimulation))
          proven = await bench.prove(plan, variant, rows);
      }
      const reports = new Map<string, string>();
      for (const name of vendor ? ["stat.json"] : ["stat.json", "report.json"])
        reports.set(name, await bench.text(name));
      const text = (name: string) => reports.get(name) ?? null;
      const { met, achievedMhz } = engine.timing(plan, { variant, text });
      if (!met) continue;
      return {
        bitstreamBytes: vendor ? null : (await bench.bytes(bitstream)).length,
        needs: vendor?.tool(board) ?? null,
        projectBytes: vendor ? (await bench.bytes("project.zip")).length : 0,
        cycles: plan.core?.latencyCycles ?? 0,
        clockHz: variant.clockHz,
        achievedMhz,
        proven,
      };
    }
    throw new Error("no clock of the board is met");
  } finally {
    await bench.close();
  }
}

import type { BoardModel } from "@/boards";
import { getFamily } from "@/boards";
import { getEngine, type Plan, type PlanRequest } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { openWorkbench } from "@/tests/hardware/support/plan-runner";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { randomTrees } from "@/tests/support/compiler/random-trees";

export interface BuiltForBoard {
  readonly model: string;
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
const engine = getEngine("boardwalk");

/** From the largest on: each board gets the first that fits. */
const models: Readonly<Record<string, (board: string) => PlanRequest>> = {
  "iris-mlp": (board) => planRequest("iris-mlp", board, { options: { architecture: "array" } }),
  "3 trees of depth 3": (board) => {
    const request = planRequest("iris-mlp", board, { card: null });
    const graph = randomTrees({ seed: 1, trees: 3, depth: 3, features: 4, scores: 3 });
    return { ...request, model: { ...request.model, graph } };
  },
};

/**
 * Runs a plan's variants until one meets its clock, by open tools alone, and proves each netlist.
 *
 * @throws {AppError} of the engine or of the proof; {Error} of a tool, or where no clock is met.
 */
export async function buildForBoard(board: BoardModel): Promise<BuiltForBoard> {
  const { bitstream, vendor } = getFamily(board.part);
  const { model, plan } = planFirstThatFits(board);
  const bench = await openWorkbench();
  try {
    for (const [name, content] of plan.files) await bench.write(name, content);
    for (const step of plan.synthesis) await bench.step(step);
    for (const variant of plan.variants) {
      for (const [name, content] of variant.files) await bench.write(name, content);
      let proven = 0;
      for (const step of variant.steps) {
        await bench.step(step);
        if (step.produces.includes(variant.netlistSimulation))
          proven = await bench.prove(plan, variant, rows);
      }
      const reports = new Map<string, string>();
      for (const name of vendor ? ["cells.json"] : ["cells.json", "report.json"])
        reports.set(name, await bench.text(name));
      const text = (name: string) => reports.get(name) ?? null;
      const { met, achievedMhz } = engine.timing(plan, { variant, text });
      if (!met) continue;
      return {
        model,
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

/** @throws {AppError} what the engine says of the smallest model, where not even that fits. */
function planFirstThatFits({ id }: BoardModel): { readonly model: string; readonly plan: Plan } {
  let refusal: unknown;
  for (const [model, requestFor] of Object.entries(models)) {
    try {
      return { model, plan: engine.plan(requestFor(id)) };
    } catch (error) {
      if (!isAppError(error) || error.reason !== "MODEL_TOO_LARGE") throw error;
      refusal = error;
    }
  }
  throw refusal;
}

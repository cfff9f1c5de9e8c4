import { expect, it } from "vitest";
import { loadMatrixModel, matrixModelNames } from "@/bench/compiler/matrix/models";
import { planModel } from "@/bench/compiler/matrix/plan-model";
import { matrixBoards } from "@/bench/compiler/matrix/row";
import { isAppError } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";

// The Verilog of every model on every part, as a digest: a change of the compiler that means to change no hardware changes
// none of these. `npx vitest -u` takes new ones; the commit says why, and the rows are built and proven again.

/** The digest of what would be synthesised, or why there is nothing. */
function coreOf(model: string, board: string): string {
  try {
    const { plan } = planModel(loadMatrixModel(model), board, {});
    return digestOf(plan.files.get("core.v") ?? "");
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}

it.each(Object.entries(matrixBoards))("cores for %s are what they were", async (part, board) => {
  const cores = Object.fromEntries(matrixModelNames.map((model) => [model, coreOf(model, board)]));
  await expect(`${JSON.stringify(cores, null, 2)}\n`).toMatchFileSnapshot(
    `../fixtures/core-digests/${part}.json`,
  );
});

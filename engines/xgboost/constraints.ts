import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused } from "../verdict";

/** Every XGBoost file that was read has become a tree ensemble, or a product of matrices. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if ((format === "xgboost-json" || format === "xgboost-ubj") && graph) return { ok: true };
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The xgboost engine does not read ${format} files.`, {
      hint: "Save the model with Booster.save_model(), as .json or .ubj.",
    }),
  );
}

export function supports(board: BoardModel, kind: BoardKind): Verdict {
  if (kind === "cpu" && board.part.flow.kind === "cpu") return { ok: true };
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine xgboost runs on CPU boards, not on ${board.name}.`, {
      hint: "Choose the boardwalk engine for this board, or a CPU board.",
    }),
  );
}

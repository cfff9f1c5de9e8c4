import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused } from "../verdict";

/** Every Keras file that was read has become standard operators. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if ((format === "keras" || format === "keras-h5") && graph) return { ok: true };
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The tensorflow engine does not read ${format} files.`, {
      hint: "Save the model with model.save(), as .keras or .h5.",
    }),
  );
}

export function supports(board: BoardModel, kind: BoardKind): Verdict {
  if (kind === "cpu" && board.part.flow.kind === "cpu") return { ok: true };
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine tensorflow runs on CPU boards, not on ${board.name}.`, {
      hint: "Choose the boardwalk engine for this board, or a CPU board.",
    }),
  );
}

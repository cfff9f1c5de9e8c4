import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused } from "../verdict";

/** Every ONNX file that was read can be tried: the runtime knows all standard operators. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if (format === "onnx" && graph) return { ok: true };
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The onnx engine does not read ${format} files.`, {
      hint: "Export the model as ONNX.",
    }),
  );
}

export function supports(board: BoardModel, kind: BoardKind): Verdict {
  if (kind === "cpu" && board.part.flow.kind === "cpu") return { ok: true };
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine onnx runs on CPU boards, not on ${board.name}.`, {
      hint: "Choose the boardwalk engine for this board, or a CPU board.",
    }),
  );
}

import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { checkTensors, supportsFpga } from "../fpga/constraints";
import { refuseHgq } from "../refuse-hgq";
import { refused, verdictOf } from "../verdict";

/** Whether the compiler can take a model, before a board is chosen. */
export function accepts({ format, graph }: ParsedModel): Verdict {
  if (graph) {
    return verdictOf(() => {
      refuseHgq("boardwalk", graph);
      checkTensors(graph);
    });
  }
  return refused(
    fail("FORMAT_HAS_NO_ENGINE", `The boardwalk engine does not read ${format} files yet.`, {
      hint: "Export the model as ONNX.",
    }),
  );
}

/** Whether designs can be built for a board model, simulated or real. */
export const supports = (board: BoardModel, kind: BoardKind): Verdict =>
  supportsFpga("boardwalk", board, kind);

import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Verdict } from "../engine";
import { refused } from "../verdict";
import type { BoardPart, BoardRequest } from "./board-plan";
import { planForCpu } from "./cpu";
import { planForVendor } from "./vendor";

type PlanFor = (request: BoardRequest) => BoardPart;

/** How it is planned for a board; null where it is not. */
export function boardPlanOf({ part }: BoardModel, kind: BoardKind): PlanFor | null {
  const isCpu = part.flow.kind === "cpu";
  if (isCpu !== (kind === "cpu")) return null;
  if (isCpu) return planForCpu;
  return part.flow.kind === "vivado" ? planForVendor : null;
}

export function supports(board: BoardModel, kind: BoardKind): Verdict {
  if (boardPlanOf(board, kind)) return { ok: true };
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine hls4ml does not build for ${board.name}.`, {
      hint: "Choose a CPU board, which runs the emulation, a board of AMD's, or the boardwalk engine.",
    }),
  );
}

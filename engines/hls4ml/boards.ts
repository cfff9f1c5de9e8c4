import { type BoardModel, findFamily } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Verdict } from "../engine";
import { supportsFpga } from "../fpga/constraints";
import { refused } from "../verdict";
import type { BoardPart, BoardRequest } from "./board-plan";
import { planForCpu } from "./cpu";
import { planForVendor } from "./vendor";

type PlanFor = (request: BoardRequest) => BoardPart;

/** How an emulation is planned for a board; null where none is. */
export function boardPlanOf({ part }: BoardModel, kind: BoardKind): PlanFor | null {
  const isCpu = part.flow.kind === "cpu";
  if (isCpu !== (kind === "cpu")) return null;
  if (isCpu) return planForCpu;
  return part.flow.kind === "vivado" ? planForVendor : null;
}

/** Whether open tools make the board's bitstream: then it gets firmware around da4ml's adders. */
export function isOpen({ part }: BoardModel): boolean {
  const family = findFamily(part);
  return family !== null && family.vendor === undefined;
}

export function supports(board: BoardModel, kind: BoardKind): Verdict {
  if (boardPlanOf(board, kind)) return { ok: true };
  if (isOpen(board) && kind !== "cpu") return supportsFpga("hls4ml", board, kind);
  return refused(
    fail("COMBINATION_UNSUPPORTED", `Engine hls4ml does not build for ${board.name}.`, {
      hint: "Choose a CPU board, which runs the emulation, a board with open tools or of AMD's, or the boardwalk engine.",
    }),
  );
}

import type { BoardModel } from "@/boards";
import { type BitstreamHeader, fitsPart } from "@/boards/bitstreams";
import { fail } from "@/lib/common/errors";
import { showText } from "@/lib/common/text";

/** @throws {AppError} `FIRMWARE_MISMATCH` for a bitstream of another part. */
export function requirePart(header: BitstreamHeader, board: BoardModel): void {
  if (fitsPart(header, board.part)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The bitstream is for ${showText(header.partName ?? header.device)}, and a ${board.name} has ${board.part.name}.`,
    { field: "board", hint: "Choose the board that the bitstream was made for." },
  );
}

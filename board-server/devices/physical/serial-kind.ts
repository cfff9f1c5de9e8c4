import { findBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import { type BoardKind, bitstreamOf, type PluggedBoard } from "../board-kind";
import { coreModel } from "../core-model";
import { loadPhysical } from "./load-physical";
import { type SerialBoard, serialBoardSchema } from "./serial-board";

/** Boards on cables. */
export const serialKind: BoardKind = {
  kind: "serial",
  read(entry) {
    const board = serialBoardSchema.parse(entry);
    const model = findBoardModel(board.boardModel);
    if (!model?.programmer && !board.programmer) {
      throw fail(
        "OPTION_INVALID",
        `no programmer of ${model?.name} is known: name one as "programmer"`,
      );
    }
    return serialBoard(board);
  },
};

/** A board on a cable of this host, as it is loaded. */
export function serialBoard(board: SerialBoard): PluggedBoard {
  const { key, boardModel, serialPort } = board;
  return {
    key,
    boardModel,
    serialPort,
    async load(load) {
      const { manifest } = load.command;
      const bitstream = await bitstreamOf(load);
      return coreModel(
        manifest,
        await loadPhysical({ manifest, bitstream, board, plans: load.plans }),
      );
    },
  };
}

import { getBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import { type BoardKind, bitstreamOf } from "../board-kind";
import { coreModel } from "../core-model";
import { loadXrt } from "./load-xrt";
import { xrtBoardSchema } from "./xrt-board";

/** Alveo cards of the host, by AMD's XRT. */
export const xrtKind: BoardKind = {
  kind: "xrt",
  read(entry) {
    const board = xrtBoardSchema.parse(entry);
    const { key, boardModel } = board;
    const { name, links } = getBoardModel(boardModel);
    if (links[0]?.kind !== "pcie") {
      throw fail("OPTION_INVALID", `a ${name} is no card that XRT loads: it is of another kind`);
    }
    return {
      key,
      boardModel,
      async load(load) {
        const { manifest } = load.command;
        const xclbin = await bitstreamOf(load);
        return coreModel(manifest, await loadXrt({ board, manifest, xclbin }));
      },
    };
  },
};

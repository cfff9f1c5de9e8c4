import { getBoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import type { HostFolders } from "../../host";
import { type BoardKind, bitstreamOf, type PluggedBoard } from "../board-kind";
import { coreModel } from "../core-model";
import { type HostFiles, hostFiles } from "./host-files";
import { loadZynq } from "./load-zynq";
import { zynqBoardSchema } from "./zynq-board";

/** FPGAs beside the processor that the board server runs on. */
export const zynqKind: BoardKind = {
  kind: "zynq",
  read: (entry, host) => zynqBoard(entry, host, hostFiles),
};

/** A board of its entry. @param files Those of the host, or of a made-up one. */
export function zynqBoard(entry: unknown, host: HostFolders, files: HostFiles): PluggedBoard {
  const board = zynqBoardSchema.parse(entry);
  const { key, boardModel } = board;
  const { name, links } = getBoardModel(boardModel);
  if (links[0]?.kind !== "axi") {
    throw fail(
      "OPTION_INVALID",
      `a ${name} has no processor beside its FPGA: it is of another kind`,
    );
  }
  if ((board.uio === undefined) === (board.address === undefined)) {
    throw fail("OPTION_INVALID", `board ${key} needs "uio" or "address", and not both`);
  }
  return {
    key,
    boardModel,
    async load(load) {
      const { manifest } = load.command;
      const bitstream = await bitstreamOf(load);
      return coreModel(manifest, await loadZynq({ board, host, files, manifest, bitstream }));
    },
  };
}

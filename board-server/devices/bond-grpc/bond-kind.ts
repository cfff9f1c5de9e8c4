import { z } from "zod";
import { grpcAddressSchema } from "@/lib/common/bond";
import { type BoardKind, entryFields, type PluggedBoard } from "../board-kind";
import { BondBoard, type BondLimits, defaultBondLimits } from "./bond-board";
import { BondModel } from "./bond-model";
import { readFirmwareFacts } from "./firmware-facts";

const entrySchema = z.strictObject({ ...entryFields, address: grpcAddressSchema });

/** Boards of BondMachine's original system, at addresses. */
export const bondKind: BoardKind = {
  kind: "bond-grpc",
  read: (entry) => bondBoard(entrySchema.parse(entry)),
};

/**
 * A board that speaks the original's gRPC contract, as it is loaded. It takes a firmware's files from its own store, by their
 * name.
 */
export function bondBoard(
  { key, boardModel, address }: Pick<z.infer<typeof entrySchema>, "key" | "boardModel" | "address">,
  limits: BondLimits = defaultBondLimits,
): PluggedBoard {
  return {
    key,
    boardModel,
    loads: "bondmachine",
    async load({ command: { manifest }, file }) {
      const facts = await readFirmwareFacts(manifest, () => file("metadata"));
      const board = new BondBoard(address, limits);
      try {
        const model = new BondModel(board, manifest.io, facts);
        await model.load();
        return model;
      } catch (error) {
        board.close();
        throw error;
      }
    },
  };
}

import type { BoardModel } from "@/boards";
import type { ArtifactIo, Origin } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { showText } from "@/lib/common/text";
import type { LegacyMetadata } from "../firmware";

/** Nothing of such a firmware is proven here, whoever made it. */
export const origin: Origin = { kind: "bondmachine", proof: "not verified" };

/** @throws {AppError} `FIRMWARE_MISMATCH` where the metadata names another board. */
export function requireNamed(
  { board: named }: Pick<LegacyMetadata, "board">,
  board: Pick<BoardModel, "id">,
): void {
  if (plain(named) === plain(board.id)) return;
  throw fail(
    "FIRMWARE_MISMATCH",
    `The metadata of the firmware names the board ${showText(named)}, not ${board.id}.`,
    { field: "board", hint: "Choose the board that the firmware was made for." },
  );
}

/** `alveou50` and `alveo-u50` are one board. */
const plain = (board: string): string => board.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Its metadata counts inputs and outputs, and names none. */
export function firmwareIo({
  n_inputs,
  n_outputs,
}: Pick<LegacyMetadata, "n_inputs" | "n_outputs">): ArtifactIo {
  const tensor = (name: string, size: number) => ({
    name,
    datatype: "FP32",
    shape: [-1, size],
    size,
  });
  return {
    inputs: [tensor("input", n_inputs)],
    outputs: [
      { ...tensor("output", n_outputs), activation: "none" },
      { name: "class", datatype: "INT64", shape: [-1], size: 1, activation: "none" },
    ],
  };
}

import type { BoardModel } from "@/boards";
import { fail } from "@/lib/common/errors";
import type { ParsedModel } from "../engine";

/** Tools of the original build server: what they read, of which bucket of its store, and for which boards. */
interface Toolkit {
  readonly id: "bondmachine" | "hls4ml";
  readonly bucket: string;
  readonly link: readonly BoardModel["links"][number]["kind"][];
  readonly boards: string;
}

const toolkits: Readonly<Record<string, Toolkit>> = {
  "bondmachine-json": {
    id: "bondmachine",
    bucket: "fpga-firmware",
    link: ["axi"],
    boards: "boards with a Zynq",
  },
  "keras-h5": {
    id: "hls4ml",
    bucket: "trained-models",
    link: ["axi", "pcie"],
    boards: "AMD boards",
  },
};

/** Formats that the original build server reads. */
export const formats = Object.keys(toolkits);

/** What reads a model of a format; null: nothing. */
export const findToolkit = ({ format }: Pick<ParsedModel, "format">): Toolkit | null =>
  toolkits[format] ?? null;

/** @throws {AppError} `COMBINATION_UNSUPPORTED` */
export function requireBoard({ id, link, boards }: Toolkit, board: BoardModel): void {
  if (board.links.some(({ kind }) => link.includes(kind))) return;
  throw fail(
    "COMBINATION_UNSUPPORTED",
    `A build server's ${id} does not build for ${board.name}.`,
    {
      field: "board",
      hint: `It builds for ${boards}.`,
    },
  );
}

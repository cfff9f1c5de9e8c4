import { type BitstreamHeader, readBitstream } from "@/boards/bitstreams";
import { fail } from "@/lib/common/errors";
import type { LegacyTriple } from "../firmware";
import { isLegacyMetadata, parseLegacyMetadata } from "./legacy-metadata";

/** The files of one firmware that lie beside each other, by the ending of their names. */
export type FirmwarePart = "bit" | "hwh" | "json";

const xilinxBegin = [0, 9, 0x0f, 0xf0, 0x0f, 0xf0];

/**
 * Which other files to look for beside a file, by the ending of its URL and its first bytes: a bitstream of a Xilinx chip
 * or the JSON that goes with one may be one of three files.
 */
export function partsBeside(url: string, bytes: Uint8Array): readonly FirmwarePart[] {
  const isBit = /\.bit$/i.test(url) && xilinxBegin.every((byte, index) => bytes[index] === byte);
  if (isBit) return ["json", "hwh"];
  return /\.json$/i.test(url) && isLegacyMetadata(bytes) ? ["bit", "hwh"] : [];
}

/**
 * Reads the three files of one firmware, and holds them against each other.
 *
 * @throws {AppError} `FIRMWARE_METADATA_INVALID`, `FIRMWARE_INVALID`, `FIRMWARE_TRUNCATED`, `FIRMWARE_MISMATCH`
 */
export function readTriple({
  bit,
  hwh,
  json,
}: Partial<Record<FirmwarePart, Uint8Array>>): LegacyTriple {
  if (!json) throw missing("json");
  const metadata = parseLegacyMetadata(json);
  if (!bit) throw missing("bit");
  if (!hwh) throw missing("hwh");
  const header = readBitstream(bit);
  if (header?.format !== "xilinx-bitstream") {
    throw fail("FIRMWARE_INVALID", "The .bit file is no Xilinx bitstream.", {
      hint: "Give the address of the .bit file that Vivado wrote.",
    });
  }
  requireSameChip(header, hwh);
  return { kind: "bondmachine", header, metadata, files: { bit, hwh, json } };
}

function missing(part: FirmwarePart) {
  return fail("FIRMWARE_INVALID", `There is no .${part} file of the same name beside it.`, {
    hint: "A BondMachine firmware is three files: NAME.bit, NAME.hwh and NAME.json.",
  });
}

/** The hand-off is XML that names the chip for which Vivado made both files. */
function requireSameChip({ device }: BitstreamHeader, hwh: Uint8Array): void {
  const text = new TextDecoder("latin1").decode(hwh);
  if (!/^\s*<(\?xml|EDKSYSTEM)/.test(text)) {
    throw fail("FIRMWARE_INVALID", "The .hwh file is no hardware hand-off: it is not XML.", {
      hint: "Take the .hwh file that Vivado wrote with the block design.",
    });
  }
  const [, chip] = /\bDEVICE="([A-Za-z0-9]+)"/.exec(text.slice(0, 65_536)) ?? [];
  if (chip === undefined || device.toLowerCase().includes(chip.toLowerCase().replace(/^xc/, ""))) {
    return;
  }
  throw fail(
    "FIRMWARE_MISMATCH",
    `The .hwh file is for a ${chip}, the bitstream is for a ${device}.`,
    { hint: "Take both files from the same run of Vivado." },
  );
}

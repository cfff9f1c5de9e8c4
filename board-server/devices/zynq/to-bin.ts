import type { BoardModel } from "@/boards";
import { configurationOf, fitsPart, readBitstream } from "@/boards/bitstreams";
import { fail } from "@/lib/common/errors";
import { showText } from "@/lib/common/text";

/**
 * What the kernel's driver for the FPGA takes: the configuration of Vivado's `.bit` without its header, the bytes of each
 * word of 32 bits turned round.
 *
 * @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID`, `FIRMWARE_MISMATCH` for another part.
 * @see Linux, drivers/fpga/zynq-fpga.c: "Bitstream must be a byte swapped .bin file".
 */
export function toBin(bytes: Uint8Array, { name, part }: BoardModel): Uint8Array {
  const header = readBitstream(bytes);
  const configuration = configurationOf(bytes);
  if (!header || !configuration) {
    throw fail("FIRMWARE_INVALID", "The artifact's bitstream is none that Vivado wrote.", {
      hint: "A Zynq is loaded with the .bit file of Vivado.",
    });
  }
  if (!fitsPart(header, part)) {
    throw fail(
      "FIRMWARE_MISMATCH",
      `The bitstream is for ${showText(header.partName ?? header.device)}, and a ${name} has ${part.name}.`,
      { hint: "Deploy on the board that it was made for, or build it for this one." },
    );
  }
  if (configuration.length % 4 !== 0) {
    throw fail("FIRMWARE_INVALID", `${configuration.length} bytes of configuration are no words.`);
  }
  // A copy: what was read stays as it was.
  return new Uint8Array(Buffer.from(configuration).swap32());
}

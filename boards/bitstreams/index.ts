import type { Part } from "../schema";
import type { BitstreamFormat, BitstreamHeader } from "./bitstream";
import { ecp5 } from "./ecp5";
import { gowin } from "./gowin";
import { ice40 } from "./ice40";
import { xclbin } from "./xclbin";
import { xilinx } from "./xilinx";

export type { BitstreamHeader } from "./bitstream";
export { configurationOf } from "./xilinx";

/** Every format of bitstreams that is read. */
export const bitstreamFormats: readonly BitstreamFormat[] = [ice40, ecp5, gowin, xilinx, xclbin];

/**
 * Reads what a bitstream says of itself; null for a file that is none.
 *
 * @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID`
 */
export function readBitstream(bytes: Uint8Array): BitstreamHeader | null {
  return bitstreamFormats.find((format) => format.recognises(bytes))?.read(bytes) ?? null;
}

/** Whether a bitstream is for a part. */
export function fitsPart(header: BitstreamHeader, part: Part): boolean {
  return bitstreamFormats.find(({ id }) => id === header.format)?.fits(header, part) ?? false;
}

/** What such a bitstream is called in an artifact. */
export function bitstreamFileName({ format }: BitstreamHeader): string {
  return bitstreamFormats.find(({ id }) => id === format)?.fileName ?? "bitstream";
}

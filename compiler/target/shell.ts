import { blocksOf } from "./block-ram";
import type { PartResources } from "./part";

/** The serial shell: framing, CRC, identity; one block RAM for frames besides those for a request's bytes. */
export const shellCells = { lut: 640, flipFlops: 480, bramBlocks: 1 } as const;

/** What the serial shell takes of a part, for requests of so many bytes. */
export function shellResources(
  inputBytes: number,
  part: PartResources,
): { readonly lut: number; readonly bramBlocks: number } {
  const request = blocksOf(2 ** Math.ceil(Math.log2(inputBytes)), 8, part.bramBlockBits);
  return { lut: shellCells.lut, bramBlocks: shellCells.bramBlocks + request };
}

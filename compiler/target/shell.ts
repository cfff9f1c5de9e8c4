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

/** Block RAMs of a memory: the cheapest of the shapes a block can take, such as 256 × 16 or 512 × 8 of 4,096 bits. */
export function blocksOf(depth: number, width: number, blockBits: number): number {
  if (depth === 0 || width === 0) return 0;
  const shapes = [16, 8, 4, 2].map(
    (bits) => Math.ceil(width / bits) * Math.ceil(depth / (blockBits / bits)),
  );
  return Math.min(...shapes);
}

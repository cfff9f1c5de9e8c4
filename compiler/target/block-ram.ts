/** Block RAMs of a memory: the cheapest of the shapes a block can take, such as 256 × 16 or 512 × 8 of 4,096 bits. */
export function blocksOf(depth: number, width: number, blockBits: number): number {
  if (depth === 0 || width === 0) return 0;
  const shapes = [16, 8, 4, 2].map(
    (bits) => Math.ceil(width / bits) * Math.ceil(depth / (blockBits / bits)),
  );
  return Math.min(...shapes);
}

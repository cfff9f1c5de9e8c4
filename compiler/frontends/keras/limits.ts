/** Bounds of one Keras file. They bound memory and time, not taste. */
export const limits = {
  /** Largest expanded entry of an archive. */
  entryBytes: 512 * 1024 * 1024,
  configBytes: 16 * 1024 * 1024,
  /** Expanded to compressed. DEFLATE reaches about 1,030, weights rarely 2. */
  ratio: 200,
  /** Below this much nothing is a bomb, whatever its ratio. */
  ratioFloorBytes: 1024 * 1024,
  entries: 1000,
  layers: 10_000,
  /** Models inside each other. */
  depth: 16,
  rank: 8,
  /** Elements of one row of an input: what the inference protocol carries in a tensor. */
  rowElements: 4_194_304,
} as const;

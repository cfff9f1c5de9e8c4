/** Bounds of an archive, compressed and expanded. */
export const archiveLimits = {
  expandedBytes: 4 * 1024 ** 3,
  members: 10_000,
  /** Expanded to compressed, over the whole archive. DEFLATE reaches about 1,030. */
  ratio: 200,
  /** Below this much nothing is a bomb, whatever its ratio. */
  ratioFloorBytes: 1024 ** 2,
  nameBytes: 1024,
  partBytes: 255,
  depth: 16,
  /** Names and attributes that tar keeps in members of their own. */
  attributeBytes: 64 * 1024,
} as const;

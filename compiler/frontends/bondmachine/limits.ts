/** What a network may hold; one neuron is one processor, so honest ones come nowhere near. */
export const limits = {
  bytes: 64 * 1024 * 1024,
  layers: 256,
  nodes: 20_000,
  weights: 1_000_000,
  /** Entries of one layer's matrix, most of which a file may leave out. */
  matrix: 4_000_000,
} as const;

/** What a model may hold; honest ones come nowhere near. */
export const limits = {
  bytes: 256 * 1024 * 1024,
  trees: 100_000,
  nodes: 10_000_000,
  features: 1_000_000,
  groups: 10_000,
  depth: 64,
} as const;

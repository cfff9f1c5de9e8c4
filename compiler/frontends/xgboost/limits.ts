/** What a model may hold; honest ones come nowhere near. */
export const limits = {
  bytes: 256 * 1024 * 1024,
  trees: 100_000,
  nodes: 10_000_000,
  features: 1_000_000,
  groups: 10_000,
  /** Of all kinds in one file. A list of half as many again ends the process: V8 has no error for that. */
  values: 75_000_000,
  depth: 64,
} as const;

/** Bounds of one `saved_model.pb`. They bound memory and time, not taste. */
export const limits = {
  /** A graph may hold its weights as constants; a protobuf message could be 2 GiB. */
  fileBytes: 256 * 1024 * 1024,
  nodes: 200_000,
  functions: 20_000,
  variables: 100_000,
  /** In one list of ids. */
  numbers: 200_000,
  nameBytes: 4096,
  /** Functions that are named inside the attributes of functions. */
  depth: 16,
  rank: 16,
  /** Elements of one row of a tensor: what the inference protocol carries in one. */
  rowElements: 4_194_304,
} as const;

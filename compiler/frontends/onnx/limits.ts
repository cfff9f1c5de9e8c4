/** Bounds of one ONNX file. Generous beside any model a board can hold; they bound memory and time, not taste. */
export const limits = {
  /** Largest file; a protobuf message could be 2 GiB. */
  fileBytes: 512 * 1024 * 1024,
  /** Messages inside each other; one subgraph takes three. */
  depth: 64,
  fields: 4_000_000,
  nodes: 100_000,
  tensors: 100_000,
  /** Numbers stored one by one instead of as raw bytes: each costs an object while decoding. */
  listedNumbers: 8_388_608,
  nameBytes: 4096,
  rank: 16,
  /** Elements of one row of an input: what the inference protocol carries in a tensor. */
  rowElements: 4_194_304,
} as const;

const opsets: Readonly<Record<string, number>> = { "": 26, "ai.onnx.ml": 5 };

/** What the CPU engine's onnxruntime (1.30) loads at most; newer files are refused by these numbers. */
export const newest = {
  irVersion: 13,
  opsets,
} as const;

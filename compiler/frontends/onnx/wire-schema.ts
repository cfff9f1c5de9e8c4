/** Messages of an ONNX file, as far as weights can hide in them. */
export type MessageKind =
  | "model"
  | "graph"
  | "node"
  | "attribute"
  | "tensor"
  | "sparseTensor"
  | "entry"
  | "function"
  | "training"
  | "valueInfo"
  | "type"
  | "tensorType"
  | "shape"
  | "dimension"
  | "operatorSet";

/** What a field holds. `varints`, `floats` and `doubles` are lists: one number per field, or many packed into one. */
export type FieldKind =
  | MessageKind
  | "varint"
  | "float"
  | "bytes"
  | "name"
  | "varints"
  | "floats"
  | "doubles";

/**
 * Fields that a reader of ours or onnxruntime would read, by number.
 *
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto for the numbers
 */
export const wireSchema: Readonly<Record<MessageKind, Readonly<Record<number, FieldKind>>>> = {
  model: {
    1: "varint",
    2: "name",
    3: "name",
    5: "varint",
    7: "graph",
    8: "operatorSet",
    20: "training",
    25: "function",
  },
  operatorSet: { 1: "name", 2: "varint" },
  function: { 1: "name", 7: "node", 9: "operatorSet", 10: "name", 11: "attribute" },
  training: { 1: "graph", 2: "graph" },
  graph: {
    1: "node",
    2: "name",
    5: "tensor",
    11: "valueInfo",
    12: "valueInfo",
    13: "valueInfo",
    15: "sparseTensor",
  },
  node: { 1: "name", 2: "name", 3: "name", 4: "name", 5: "attribute", 7: "name" },
  attribute: {
    1: "name",
    2: "float",
    3: "varint",
    4: "bytes",
    5: "tensor",
    6: "graph",
    7: "floats",
    8: "varints",
    9: "bytes",
    10: "tensor",
    11: "graph",
    20: "varint",
    22: "sparseTensor",
    23: "sparseTensor",
  },
  tensor: {
    1: "varints",
    2: "varint",
    4: "floats",
    5: "varints",
    6: "bytes",
    7: "varints",
    8: "name",
    9: "bytes",
    10: "doubles",
    11: "varints",
    13: "entry",
    14: "varint",
  },
  sparseTensor: { 1: "tensor", 2: "tensor" },
  entry: { 1: "name", 2: "bytes" },
  valueInfo: { 1: "name", 2: "type" },
  type: { 1: "tensorType", 4: "bytes", 5: "bytes", 8: "bytes", 9: "bytes" },
  tensorType: { 1: "varint", 2: "shape" },
  shape: { 1: "dimension" },
  dimension: { 1: "varint", 2: "name" },
};

import type { Datatype } from "@/lib/common/tensor";

interface DataType {
  readonly name: string;
  /** The same type in the Open Inference Protocol; null where it has none. */
  readonly datatype: Datatype | null;
  /** Bits of one element; 0 where elements have no fixed size. */
  readonly bits: number;
}

const type = (name: string, datatype: Datatype | null, bits: number): DataType => ({
  name,
  datatype,
  bits,
});

/** Element types by their number in `TensorProto.DataType`. */
const dataTypes: Readonly<Record<number, DataType>> = {
  1: type("float", "FP32", 32),
  2: type("uint8", "UINT8", 8),
  3: type("int8", "INT8", 8),
  4: type("uint16", "UINT16", 16),
  5: type("int16", "INT16", 16),
  6: type("int32", "INT32", 32),
  7: type("int64", "INT64", 64),
  8: type("string", "BYTES", 0),
  9: type("bool", "BOOL", 8),
  10: type("float16", "FP16", 16),
  11: type("double", "FP64", 64),
  12: type("uint32", "UINT32", 32),
  13: type("uint64", "UINT64", 64),
  14: type("complex64", null, 64),
  15: type("complex128", null, 128),
  16: type("bfloat16", "BF16", 16),
  17: type("float8e4m3fn", null, 8),
  18: type("float8e4m3fnuz", null, 8),
  19: type("float8e5m2", null, 8),
  20: type("float8e5m2fnuz", null, 8),
  21: type("uint4", null, 4),
  22: type("int4", null, 4),
  23: type("float4e2m1", null, 4),
  24: type("float8e8m0", null, 8),
  25: type("uint2", null, 2),
  26: type("int2", null, 2),
};

/** The element type of a number in the file, or null if this version of ONNX is not known here. */
export function findDataType(number: number): DataType | null {
  return dataTypes[number] ?? null;
}

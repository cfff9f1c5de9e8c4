import { fail } from "@/lib/common/errors";
import type { Datatype, Tensor, TensorData } from "@/lib/common/tensor";

/** Names that ONNX Runtime gives our datatypes. It takes no bfloat16 from JavaScript. */
const ortTypes = {
  BOOL: "bool",
  UINT8: "uint8",
  UINT16: "uint16",
  UINT32: "uint32",
  UINT64: "uint64",
  INT8: "int8",
  INT16: "int16",
  INT32: "int32",
  INT64: "int64",
  FP16: "float16",
  FP32: "float32",
  FP64: "float64",
  BYTES: "string",
} as const satisfies Partial<Record<Datatype, string>>;

export function toOrt({ name, datatype, data }: Tensor): { type: string; data: unknown } {
  if (datatype === "BF16") throw fail("INFER_INVALID", `input '${name}' cannot be BF16 on a CPU`);
  const type = ortTypes[datatype];
  if (datatype !== "BYTES") return { type, data };
  const texts = (data as readonly Uint8Array[]).map((bytes) => Buffer.from(bytes).toString("utf8"));
  return { type, data: texts };
}

export function fromOrt(
  name: string,
  type: string,
  dims: readonly number[],
  data: unknown,
): Tensor {
  const datatype = (Object.keys(ortTypes) as (keyof typeof ortTypes)[]).find(
    (key) => ortTypes[key] === type,
  );
  if (!datatype) throw new Error(`the output type ${type} has no datatype`);
  const encoded =
    datatype === "BYTES"
      ? (data as readonly string[]).map((text) => Buffer.from(text, "utf8"))
      : (data as TensorData);
  return { name, datatype, shape: [...dims], data: encoded };
}

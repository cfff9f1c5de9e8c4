import { isUtf8 } from "node:buffer";
import type { Tensor as OrtTensor } from "onnxruntime-node";
import { fail } from "@/lib/common/errors";
import { keysOf } from "@/lib/common/records";
import type { Datatype, Tensor, TensorData } from "@/lib/common/tensor";

/** Names that ONNX Runtime gives our datatypes. Artifacts have float32 where their models have bfloat16. */
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

const datatypesOfOrt = keysOf(ortTypes);

/** @throws {AppError} `INFER_INVALID` for BYTES that are no UTF-8, which is all that ONNX Runtime knows of text. */
export function toOrt({ name, datatype, data }: Tensor): { type: string; data: unknown } {
  if (datatype === "BF16") return { type: ortTypes.FP32, data: widen(data) };
  const type = ortTypes[datatype];
  if (ArrayBuffer.isView(data)) return { type, data };
  const texts = data.map((bytes, index) => {
    if (isUtf8(bytes)) return Buffer.from(bytes).toString("utf8");
    throw fail(
      "INFER_INVALID",
      `element ${index} of input '${name}' is no UTF-8 text, and models on a CPU take no other BYTES`,
    );
  });
  return { type, data: texts };
}

/** The tensor of a result. `wanted` is the model's own datatype, which the runtime's is unless that is BF16. */
export function fromOrt(
  { name, datatype: wanted }: { readonly name: string; readonly datatype: string },
  { type, dims, data }: Pick<OrtTensor, "type" | "dims" | "data">,
): Tensor {
  if (wanted === "BF16" && data instanceof Float32Array) {
    return { name, datatype: "BF16", shape: [...dims], data: narrow(data) };
  }
  const datatype = datatypesOfOrt.find((key) => ortTypes[key] === type);
  if (!datatype) throw new Error(`the output type ${type} has no datatype`);
  const encoded =
    datatype === "BYTES"
      ? (data as unknown as readonly string[]).map((text) => Buffer.from(text, "utf8"))
      : (data as TensorData);
  return { name, datatype, shape: [...dims], data: encoded };
}

/** bfloat16 is the upper half of a float32. */
function widen(bits: TensorData): Float32Array {
  if (!(bits instanceof Uint16Array)) throw new RangeError("BF16 comes as its bits.");
  const wide = new Uint32Array(bits.length);
  for (const [index, value] of bits.entries()) wide[index] = value << 16;
  return new Float32Array(wide.buffer);
}

/** The lower halves are zero: the model cast these values from bfloat16. */
function narrow(values: Float32Array): Uint16Array {
  const wide = new Uint32Array(values.buffer, values.byteOffset, values.length);
  return Uint16Array.from(wide, (value) => value >>> 16);
}

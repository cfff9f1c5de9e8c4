import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { fail } from "@/lib/common/errors";
import { judgeOptions } from "@/lib/common/onnx-runtime";
import {
  type Datatype,
  fromBfloat16Bits,
  toBfloat16Bits,
  toFloat16Bits,
} from "@/lib/common/tensor";
import type { Feed } from "../../rows";

/** The array behind an ONNX Runtime tensor. */
export type FloatData = InstanceType<typeof OrtTensor>["data"];

/** One output as ONNX Runtime gave it. */
export interface Answer {
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: FloatData;
}

/** A model in ONNX Runtime, the judge of our own reading of it. */
export interface FloatSession {
  run(feeds: ReadonlyMap<string, Feed>): Promise<ReadonlyMap<string, Answer>>;
  close(): Promise<void>;
}

/**
 * @param asWritten Whether every operator runs as the file has it. Else ONNX Runtime rewrites the graph first, as it does
 * where models are served; in quantised ones it rounds biases by that, which moves values by a step of their grid.
 * @throws {AppError} `MODEL_INVALID` when ONNX Runtime refuses the model.
 */
export async function openSession(
  model: Uint8Array,
  { asWritten = false }: { readonly asWritten?: boolean } = {},
): Promise<FloatSession> {
  const session = await InferenceSession.create(model, {
    ...judgeOptions,
    ...(asWritten ? { graphOptimizationLevel: "disabled" } : {}),
  }).catch((cause: unknown) => {
    throw fail("MODEL_INVALID", "ONNX Runtime cannot load the model.", { cause });
  });
  return {
    async run(feeds) {
      const tensors = [...feeds].map(([name, feed]) => [name, toOrt(feed)] as const);
      const results = await session.run(Object.fromEntries(tensors)).catch((cause: unknown) => {
        throw fail("MODEL_INVALID", "ONNX Runtime cannot run the model.", { cause });
      });
      return new Map(
        Object.entries(results).map(([name, { type, dims, data }]) => [
          name,
          { datatype: type, shape: [...dims], data },
        ]),
      );
    },
    close: () => session.release(),
  };
}

const bigints = (values: ArrayLike<number>) =>
  BigInt64Array.from(values, (value) => BigInt(Math.trunc(value)));

/** ONNX Runtime's name of a datatype, and how numbers become its array. Artifacts take float32 where models take BF16. */
const kinds = new Map<
  Datatype,
  { readonly type: string; readonly from: (values: ArrayLike<number>) => FloatData }
>([
  ["FP32", { type: "float32", from: (values) => Float32Array.from(values) }],
  [
    "FP16",
    {
      type: "float16",
      from: (values) => Uint16Array.from(values, (value) => toFloat16Bits(value)),
    },
  ],
  [
    "BF16",
    {
      type: "float32",
      from: (values) =>
        Float32Array.from(values, (value) => fromBfloat16Bits(toBfloat16Bits(value))),
    },
  ],
  ["FP64", { type: "float64", from: (values) => Float64Array.from(values) }],
  ["INT64", { type: "int64", from: bigints }],
  ["UINT64", { type: "uint64", from: (values) => new BigUint64Array(bigints(values).buffer) }],
  ["INT32", { type: "int32", from: (values) => Int32Array.from(values) }],
  ["UINT32", { type: "uint32", from: (values) => Uint32Array.from(values) }],
  ["INT16", { type: "int16", from: (values) => Int16Array.from(values) }],
  ["UINT16", { type: "uint16", from: (values) => Uint16Array.from(values) }],
  ["INT8", { type: "int8", from: (values) => Int8Array.from(values) }],
  ["UINT8", { type: "uint8", from: (values) => Uint8Array.from(values) }],
  [
    "BOOL",
    { type: "bool", from: (values) => Uint8Array.from(values, (value) => Math.sign(value)) },
  ],
  ["BYTES", { type: "string", from: (values) => Array.from(values, String) }],
]);

/** The values of a feed as the array of its datatype. */
export function arrayOf({ datatype, values }: Pick<Feed, "datatype" | "values">): FloatData {
  return kindOf(datatype).from(values);
}

function kindOf(datatype: Datatype) {
  const kind = kinds.get(datatype);
  if (kind) return kind;
  throw fail("MODEL_UNSUPPORTED", `Inputs of type ${datatype} cannot be tried here.`);
}

function toOrt(feed: Feed): OrtTensor {
  // @ts-expect-error The library's overloads want each pair of type and array spelt out.
  return new OrtTensor(kindOf(feed.datatype).type, arrayOf(feed), feed.shape);
}

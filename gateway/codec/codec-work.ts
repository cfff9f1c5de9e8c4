import type { Transferable } from "node:worker_threads";
import {
  type BodyOptions,
  elementCount,
  type InferRequest,
  type InferResponse,
  type OutputSelection,
  parseInferRequest,
  parseV1Request,
  readBlob,
  type Tensor,
  type TensorData,
  type TensorSpec,
  type WireBody,
  writeBlob,
  writeInferBody,
  writeV1Response,
} from "@/lib/common/tensor";
import { type ContentsRequest, readContents, writeTypedContents } from "./contents";

/** What the codec's threads are asked. */
export type CodecRequest =
  | { readonly kind: "parse"; readonly body: Uint8Array; readonly options: BodyOptions }
  | {
      readonly kind: "parseV1";
      readonly body: Uint8Array;
      readonly specs: readonly TensorSpec[];
    }
  | {
      readonly kind: "contents";
      readonly bytes: Uint8Array;
      readonly request: ContentsRequest;
    }
  | {
      readonly kind: "write";
      readonly response: InferResponse;
      readonly selection: OutputSelection;
    }
  | { readonly kind: "writeV1"; readonly outputs: readonly Tensor[] }
  | { readonly kind: "writeContents"; readonly tensor: Tensor };

/** What they answer, by what they are asked; tensors are packed. */
export interface CodecAnswers {
  readonly parse: InferRequest;
  readonly parseV1: readonly Tensor[];
  readonly contents: TensorData;
  readonly write: WireBody;
  readonly writeV1: Uint8Array;
  readonly writeContents: Uint8Array;
}

/** Does what a thread is asked. Tensors come and go packed. */
export function doCodecWork(request: CodecRequest): CodecAnswers[CodecRequest["kind"]] {
  switch (request.kind) {
    case "parse": {
      const parsed = parseInferRequest(request.body, request.options);
      return { ...parsed, inputs: parsed.inputs.map(pack) };
    }
    case "parseV1":
      return parseV1Request(request.body, request.specs).map(pack);
    case "contents":
      return packData(readContents(request.bytes, request.request));
    case "write": {
      const { response, selection } = request;
      return writeInferBody({ ...response, outputs: response.outputs.map(unpack) }, selection);
    }
    case "writeV1":
      return writeV1Response(request.outputs.map(unpack));
    case "writeContents":
      return writeTypedContents(unpack(request.tensor));
  }
}

const packData = (data: TensorData): TensorData =>
  ArrayBuffer.isView(data) ? data : writeBlob(data);

/** Puts the strings of a BYTES tensor into one blob. */
export function pack(tensor: Tensor): Tensor {
  return tensor.datatype === "BYTES" ? { ...tensor, data: packData(tensor.data) } : tensor;
}

/** The tensor that `pack` packed: its BYTES as strings again; every other one as it is. */
export function unpack(tensor: Tensor): Tensor {
  const { datatype, data, shape, name } = tensor;
  if (datatype !== "BYTES" || !(data instanceof Uint8Array)) return tensor;
  const count = elementCount(shape, name);
  return { ...tensor, data: readBlob(data, { datatype, count, label: `'${name}'` }) };
}

/** Every buffer below a value that another thread may have: it is moved there, not copied. */
export function buffersIn(value: unknown, into = new Set<Transferable>()): Set<Transferable> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) into.add(value.buffer);
  } else if (typeof value === "object" && value !== null && !(value instanceof Map)) {
    for (const each of Object.values(value)) buffersIn(each, into);
  }
  return into;
}

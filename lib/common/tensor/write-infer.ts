import { writeBlob } from "./binary";
import { elementWriter } from "./element-text";
import type { InferResponse, OutputSelection, WireBody, WireMessage } from "./infer";
import { BytesOut, type JsonOut, StringOut } from "./json-out";
import { invalid, tensorLimits } from "./shape";
import type { Tensor, TensorSpec } from "./tensor";

const encoder = new TextEncoder();
const beyondAscii = /[^\x00-\x7f]/;

const utf8Length = (text: string): number =>
  beyondAscii.test(text) ? encoder.encode(text).length : text.length;

/**
 * Writes an infer answer as its caller asked for it: outputs selected and ordered, each as flat JSON or as a blob.
 *
 * @throws {AppError} `INFER_INVALID` for an output that the answer lacks, or for BYTES that JSON cannot hold.
 */
export function writeInferResponse(
  response: InferResponse,
  selection: OutputSelection,
): WireMessage {
  const out = new StringOut();
  const blobs = writeHead(out, response, selection);
  return { head: out.text, blobs };
}

/** The same in one piece of memory: of large answers in JSON no text is made, only its bytes. */
export function writeInferBody(response: InferResponse, selection: OutputSelection): WireBody {
  const out = new BytesOut();
  const blobs = writeHead(out, response, selection);
  const headerLength = blobs.length === 0 ? null : out.length;
  for (const blob of blobs) out.addBytes(blob);
  return { body: out.finish(), headerLength };
}

/** Writes the JSON of an answer, and answers its blobs. */
function writeHead(
  out: JsonOut,
  response: InferResponse,
  { outputs, binaryOutput }: OutputSelection,
): Uint8Array[] {
  const { modelName, modelVersion, id } = response;
  const blobs: Uint8Array[] = [];
  out.add(
    `{"model_name":${JSON.stringify(modelName)},"model_version":${JSON.stringify(modelVersion)},` +
      `"id":${JSON.stringify(id)},"outputs":[`,
  );
  const chosen =
    outputs.length === 0
      ? response.outputs.map((tensor) => ({ tensor, binary: binaryOutput }))
      : outputs.map(({ name, binary }) => {
          const tensor = response.outputs.find((output) => output.name === name);
          if (!tensor) {
            throw invalid(`unexpected inference output '${name}' for model '${modelName}'`);
          }
          return { tensor, binary };
        });
  for (const [index, { tensor, binary }] of chosen.entries()) {
    if (index > 0) out.add(",");
    if (binary) out.add(binaryTensor(tensor, blobs));
    else writeJsonTensor(out, tensor);
  }
  out.add("]}");
  return blobs;
}

/**
 * Writes one request out of several whose tensors are alike in order, datatype and shape but for dimension 0, along which
 * they are joined. All are blobs, so that joining costs no copy. The JSON is padded to 8 bytes, so that the reader needs
 * none either.
 */
export function writeInferRequest(
  id: string,
  requests: readonly (readonly Tensor[])[],
): WireMessage {
  const blobs: Uint8Array[] = [];
  const [first = []] = requests;
  const tensors = first.map(({ name, datatype, shape }, index) => {
    let size = 0;
    let rows = 0;
    for (const inputs of requests) {
      const tensor = inputs[index] as Tensor;
      const blob = writeBlob(tensor.data);
      size += blob.length;
      rows += tensor.shape[0] ?? 0;
      if (blob.length > 0) blobs.push(blob);
    }
    const joined = requests.length === 1 ? shape : [rows, ...shape.slice(1)];
    return binaryHead({ name, datatype, shape: joined }, size);
  });
  const json = `{"id":${JSON.stringify(id)},"inputs":[${tensors.join(",")}],"parameters":{"binary_data_output":true}}`;
  const padding = " ".repeat((8 - (utf8Length(json) % 8)) % 8);
  return { head: json + padding, blobs };
}

/** A message in one piece of memory, and how much of it is the JSON. */
export function joinMessage({ head, blobs }: WireMessage): {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headerLength: number;
} {
  const headerLength = utf8Length(head);
  const body = new Uint8Array(blobs.reduce((sum, { length }) => sum + length, headerLength));
  encoder.encodeInto(head, body);
  let at = headerLength;
  for (const blob of blobs) {
    body.set(blob, at);
    at += blob.length;
  }
  return { body, headerLength };
}

function binaryTensor(tensor: Tensor, blobs: Uint8Array[]): string {
  const blob = writeBlob(tensor.data);
  if (blob.length > 0) blobs.push(blob);
  return binaryHead(tensor, blob.length);
}

function binaryHead({ name, datatype, shape }: TensorSpec, size: number): string {
  return (
    `{"name":${JSON.stringify(name)},"shape":[${shape.join(",")}],"datatype":"${datatype}",` +
    `"parameters":{"binary_data_size":${size}}}`
  );
}

/** A tensor as V2's JSON with flat data. @throws {AppError} `INFER_INVALID` for BYTES that JSON cannot hold, and long lists. */
export function jsonTensor(tensor: Tensor): string {
  const out = new StringOut();
  writeJsonTensor(out, tensor);
  return out.text;
}

function writeJsonTensor(out: JsonOut, tensor: Tensor): void {
  const { name, datatype, shape, data } = tensor;
  if (data.length > tensorLimits.listed) {
    throw invalid(
      `output '${name}' has more than ${tensorLimits.listed} elements; request it with the parameter binary_data: true`,
    );
  }
  out.add(
    `{"name":${JSON.stringify(name)},"shape":[${shape.join(",")}],"datatype":"${datatype}","data":[`,
  );
  if (datatype === "FP32") out.addFloat32(data as Float32Array);
  else out.add(elementsText(tensor));
  out.add("]}");
}

function elementsText(tensor: Tensor): string {
  const text = elementWriter(tensor);
  const { length } = tensor.data;
  let joined = length === 0 ? "" : text(0);
  for (let i = 1; i < length; i++) joined += `,${text(i)}`;
  return joined;
}

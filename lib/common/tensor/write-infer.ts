import { writeBlob } from "./binary";
import type { InferResponse, OutputSelection, WireMessage } from "./infer";
import { bfloat16Text, float16Text, float32Text, float64Text } from "./number-text";
import { invalid } from "./shape";
import type { Tensor } from "./tensor";

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Writes an infer answer as its caller asked for it: outputs selected and ordered, each as flat JSON or as a blob.
 *
 * @throws {AppError} `INFER_INVALID` for an output that the answer lacks, or for BYTES that JSON cannot hold.
 */
export function writeInferResponse(
  response: InferResponse,
  { outputs, binaryOutput }: OutputSelection,
): WireMessage {
  const { modelName, modelVersion, id } = response;
  const blobs: Uint8Array[] = [];
  const write = (tensor: Tensor, binary: boolean): string =>
    binary ? binaryTensor(tensor, blobs) : jsonTensor(tensor);
  const tensors =
    outputs.length === 0
      ? response.outputs.map((tensor) => write(tensor, binaryOutput))
      : outputs.map(({ name, binary }) => {
          const tensor = response.outputs.find((output) => output.name === name);
          if (!tensor) {
            throw invalid(`unexpected inference output '${name}' for model '${modelName}'`);
          }
          return write(tensor, binary ?? false);
        });
  const head =
    `{"model_name":${JSON.stringify(modelName)},"model_version":${JSON.stringify(modelVersion)},` +
    `"id":${JSON.stringify(id)},"outputs":[${tensors.join(",")}]}`;
  return { head: encoder.encode(head), blobs };
}

/** Writes a request whose tensors are all blobs. The JSON is padded to 8 bytes, so that the reader needs no copy. */
export function writeInferRequest(id: string, inputs: readonly Tensor[]): WireMessage {
  const blobs: Uint8Array[] = [];
  const tensors = inputs.map((tensor) => binaryTensor(tensor, blobs)).join(",");
  const json = `{"id":${JSON.stringify(id)},"inputs":[${tensors}],"parameters":{"binary_data_output":true}}`;
  const head = encoder.encode(json);
  const padding = " ".repeat((8 - (head.length % 8)) % 8);
  return { head: padding === "" ? head : encoder.encode(json + padding), blobs };
}

function binaryTensor({ name, datatype, shape, data }: Tensor, blobs: Uint8Array[]): string {
  const blob = writeBlob(data);
  if (blob.length > 0) blobs.push(blob);
  return (
    `{"name":${JSON.stringify(name)},"shape":[${shape.join(",")}],"datatype":"${datatype}",` +
    `"parameters":{"binary_data_size":${blob.length}}}`
  );
}

function jsonTensor(tensor: Tensor): string {
  const { name, datatype, shape } = tensor;
  return (
    `{"name":${JSON.stringify(name)},"shape":[${shape.join(",")}],"datatype":"${datatype}",` +
    `"data":[${elementsText(tensor)}]}`
  );
}

function elementsText({ name, datatype, data }: Tensor): string {
  switch (datatype) {
    case "FP32":
      return join(data as Float32Array, float32Text);
    case "FP64":
      return join(data as Float64Array, float64Text);
    case "FP16":
      return join(data as Uint16Array, float16Text);
    case "BF16":
      return join(data as Uint16Array, bfloat16Text);
    case "BOOL":
      return join(data as Uint8Array, (bit) => (bit === 0 ? "false" : "true"));
    case "BYTES":
      return (data as readonly Uint8Array[]).map((bytes) => byteStringText(bytes, name)).join(",");
    default:
      return (data as Int32Array).join(",");
  }
}

function join(values: ArrayLike<number>, text: (value: number) => string): string {
  let joined = "";
  for (let i = 0; i < values.length; i++) {
    joined += i === 0 ? text(values[i] as number) : `,${text(values[i] as number)}`;
  }
  return joined;
}

function byteStringText(bytes: Uint8Array, name: string): string {
  try {
    return JSON.stringify(utf8.decode(bytes));
  } catch {
    throw invalid(
      `output '${name}' holds bytes that are not UTF-8 text; request it with the parameter binary_data: true`,
    );
  }
}

import {
  joinMessage,
  parseInferRequest,
  parseInferResponse,
  writeBlob,
  writeInferResponse,
} from "@/lib/common/tensor";
import { parseLossless } from "./format-json";
import { readDocument } from "./request-document";

/** A body of JSON and blobs, and how much of it is the JSON. */
export interface BinaryMessage {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headerLength: number;
}

/**
 * A request whose tensors travel as bytes: whatever else it says stays as it is written.
 *
 * @throws {AppError} `INFER_INVALID` for what the gateway would refuse as JSON too.
 */
export function binaryRequest(text: string): BinaryMessage {
  const { inputs } = parseInferRequest(new TextEncoder().encode(text));
  const document = readDocument(text);
  const blobs = inputs.map(({ data }) => writeBlob(data));
  const heads = (document?.inputs ?? []).map(({ name, datatype, shape, members }, at) => {
    const given = members.find(({ key }) => key === "parameters")?.raw ?? "{}";
    const parameters = withMember(given, "binary_data_size", String(blobs[at]?.length ?? 0));
    return `{"name":${JSON.stringify(name)},"shape":[${shape.join(",")}],"datatype":"${datatype}","parameters":${parameters}}`;
  });
  const members = (document?.members ?? []).filter(({ key }) => key !== "inputs");
  const given = members.find(({ key }) => key === "parameters")?.raw ?? "{}";
  const rest = members
    .filter(({ key }) => key !== "parameters")
    .map(({ key, raw }) => `${JSON.stringify(key)}:${raw},`);
  const parameters = withMember(given, "binary_data_output", "true");
  const head = `{${rest.join("")}"parameters":${parameters},"inputs":[${heads.join(",")}]}`;
  return joinMessage({ head, blobs: blobs.filter(({ length }) => length > 0) });
}

/** An object's text with one more member. */
function withMember(object: string, key: string, value: string): string {
  const rest = object.trim().slice(1).trim();
  return `{"${key}":${value}${rest === "}" ? "" : ","}${rest}`;
}

/**
 * An answer with blobs as the JSON that it stands for, every digit kept.
 *
 * @throws {AppError} `INFER_INVALID` for what is no answer, or holds bytes that are no text.
 */
export function jsonOfBinaryAnswer(body: Uint8Array, headerLength: number): string {
  const outputs = parseInferResponse(body, { headerLength });
  const head = parseLossless(new TextDecoder().decode(body.subarray(0, headerLength)));
  const said = (key: string) => {
    const value = head !== null && typeof head === "object" ? Reflect.get(head, key) : "";
    return typeof value === "string" ? value : "";
  };
  const response = {
    modelName: said("model_name"),
    modelVersion: said("model_version"),
    id: said("id"),
    outputs,
  };
  return writeInferResponse(response, { outputs: [], binaryOutput: false }).head;
}

import { fail } from "@/lib/common/errors";
import type { InferRequest, Parameters, ParameterValue, RequestedOutput } from "./infer";
import { JsonScanner } from "./json-scanner";
import { boolParameter, readParameters } from "./read-parameters";
import { type BlobSource, type PendingTensor, readTensors } from "./read-tensor";
import { type ElementCounter, invalid, tensorLimits } from "./shape";
import type { Tensor } from "./tensor";

/** What is known of a V2 body from its headers. */
export interface BodyOptions {
  /** Bytes of JSON in front of the blobs; absent: all of it is JSON. */
  readonly headerLength?: number;
  /** Bytes of JSON that may be other than long lists of floats, which are read many times as fast; absent: all. */
  readonly patienceBytes?: number;
}

/**
 * Reads the body of an infer request, JSON or JSON and blobs. Numbers go straight into typed arrays; binary tensors are
 * views of `body` where they can be.
 *
 * @throws {AppError} `INFER_INVALID`, `BODY_TOO_LARGE` for too many elements, `EXTENSION_UNSUPPORTED`.
 * @throws {SlowText} when more is to be read slowly than `patienceBytes` allows.
 */
export function parseInferRequest(body: Uint8Array, options: BodyOptions = {}): InferRequest {
  let id = "";
  let parameters: Parameters = new Map();
  let inputs: PendingTensor[] | null = null;
  let outputs: RequestedOutput[] = [];
  const blobs = readHead(body, options, (scanner, key, depth) => {
    if (key === "id") id = readId(scanner);
    else if (key === "parameters") parameters = readParameters(scanner, depth, "the request");
    else if (key === "inputs") inputs = readTensors(scanner, depth, "input");
    else if (key === "outputs") outputs = readRequestedOutputs(scanner, depth);
    else scanner.skipValue(depth);
  });
  if (inputs === null) throw invalid("the request has no 'inputs'");
  const tensors = finishTensors(inputs, blobs, "input");
  if (tensors.length === 0) throw invalid("the request's 'inputs' are empty");
  const binaryOutput = boolParameter(parameters, "binary_data_output") ?? false;
  return { id, parameters, inputs: tensors, outputs, binaryOutput };
}

/** Reads the tensors of an infer answer, in the order of its JSON. */
export function parseInferResponse(body: Uint8Array, options: BodyOptions = {}): readonly Tensor[] {
  let outputs: PendingTensor[] = [];
  const blobs = readHead(body, options, (scanner, key, depth) => {
    if (key === "outputs") outputs = readTensors(scanner, depth, "output");
    else scanner.skipValue(depth);
  });
  return finishTensors(outputs, blobs, "output");
}

function readHead(
  body: Uint8Array,
  { headerLength, patienceBytes }: BodyOptions,
  member: (scanner: JsonScanner, key: string, depth: number) => void,
): Blobs | null {
  if (headerLength !== undefined && headerLength > body.length) {
    throw invalid(
      `Inference-Header-Content-Length is ${headerLength}, but the body has only ${body.length} bytes`,
    );
  }
  const scanner = new JsonScanner(body, 0, headerLength ?? body.length);
  if (patienceBytes !== undefined) scanner.patienceBytes = patienceBytes;
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    throw scanner.error("the text begins with a byte order mark");
  }
  const first = scanner.peek();
  if (first === -1) throw scanner.error("the body is empty");
  if (first !== 0x7b) {
    scanner.skipValue(1);
    throw invalid("the request JSON is not an object");
  }
  scanner.readObject(1, (key, depth) => member(scanner, key, depth));
  if (scanner.peek() !== -1) throw scanner.error("text after the end of the JSON");
  return headerLength === undefined ? null : new Blobs(body, headerLength, scanner.counter);
}

class Blobs implements BlobSource {
  readonly counter: ElementCounter;
  private readonly body: Uint8Array;
  private offset: number;

  constructor(body: Uint8Array, offset: number, counter: ElementCounter) {
    this.body = body;
    this.offset = offset;
    this.counter = counter;
  }

  take(size: number, label: string): Uint8Array {
    const missing = size - this.left;
    if (missing > 0) {
      throw invalid(`expecting ${missing} additional bytes of binary data for ${label}`);
    }
    const blob = this.body.subarray(this.offset, this.offset + size);
    this.offset += size;
    return blob;
  }

  get left(): number {
    return this.body.length - this.offset;
  }
}

function finishTensors(pending: PendingTensor[], blobs: Blobs | null, role: string): Tensor[] {
  const tensors = pending.map((finish) => finish(blobs));
  if (blobs !== null && blobs.left > 0) {
    throw invalid(`unexpected additional ${role} data: ${blobs.left} bytes after the last tensor`);
  }
  return tensors;
}

function readId(scanner: JsonScanner): string {
  if (scanner.acceptWord("null")) return "";
  if (scanner.peek() !== 0x22) throw invalid("'id' is not a string");
  return scanner.readString();
}

function readRequestedOutputs(scanner: JsonScanner, depth: number): RequestedOutput[] {
  if (scanner.acceptWord("null")) return [];
  if (scanner.peek() !== 0x5b) throw invalid("'outputs' must be an array");
  const outputs: RequestedOutput[] = [];
  scanner.readArray(depth, (index, inner) => {
    if (index >= tensorLimits.tensors) throw invalid(`more than ${tensorLimits.tensors} outputs`);
    const output = readRequestedOutput(scanner, inner, index);
    if (outputs.some(({ name }) => name === output.name)) {
      throw invalid(`output '${output.name}' is requested more than once`);
    }
    outputs.push(output);
  });
  return outputs;
}

function readRequestedOutput(scanner: JsonScanner, depth: number, index: number): RequestedOutput {
  if (scanner.peek() !== 0x7b) throw invalid(`output ${index} is not an object`);
  let name: string | undefined;
  let parameters: Parameters = new Map();
  scanner.readObject(depth, (key, inner) => {
    if (key === "name") {
      if (scanner.peek() !== 0x22) throw invalid(`the name of output ${index} is not a string`);
      name = scanner.readString();
    } else if (key === "parameters") {
      parameters = readParameters(scanner, inner, `output ${index}`);
    } else scanner.skipValue(inner);
  });
  if (name === undefined) throw invalid(`output ${index} has no name`);
  for (const key of parameters.keys()) {
    if (key.startsWith("shared_memory_")) {
      throw fail(
        "EXTENSION_UNSUPPORTED",
        `parameter '${key}' of output '${name}' is not supported`,
      );
    }
  }
  const binary = boolParameter(parameters, "binary_data");
  if (!parameters.has("classification")) return { name, binary };
  return { name, binary, classification: classCount(parameters.get("classification"), name) };
}

/** @throws {AppError} `INFER_INVALID` for a count that is none. */
export function classCount(value: ParameterValue | undefined, output: string): number {
  const count =
    typeof value === "boolean" || typeof value === "string" ? Number.NaN : Number(value);
  if (Number.isInteger(count) && count > 0) return count;
  throw invalid(`parameter 'classification' of output '${output}' is not a positive number`);
}

import { fail } from "@/lib/common/errors";
import { readBlob } from "./binary";
import { type Datatype, datatypes, isDatatype } from "./datatypes";
import { readElements } from "./elements";
import type { Parameters } from "./infer";
import type { JsonScanner } from "./json-scanner";
import { countParameter, readParameters } from "./read-parameters";
import { type ElementCounter, elementCount, invalid, tensorLimits } from "./shape";
import type { Tensor, TensorData } from "./tensor";

/** Hands out the bytes behind the JSON, tensor by tensor; null where the message has no binary part. */
export interface BlobSource {
  take(size: number, label: string): Uint8Array;
  readonly counter: ElementCounter;
}

/** A tensor whose blob is yet to be cut: that can only begin when the JSON has been read to its end. */
export type PendingTensor = (blobs: BlobSource | null) => Tensor;

interface Fields {
  name?: string;
  datatype?: Datatype;
  shape?: number[];
  parameters?: Parameters;
  /** Where `data` begins, and what was read there with the fields known by then. */
  dataAt?: number;
  data?: { value: TensorData; datatype: Datatype; count: number };
}

/** Reads the array of tensors of a request or an answer. `role` is how errors call one: `input`. */
export function readTensors(scanner: JsonScanner, depth: number, role: string): PendingTensor[] {
  if (scanner.peek() !== 0x5b) throw invalid(`'${role}s' must be an array`);
  const tensors: PendingTensor[] = [];
  scanner.readArray(depth, (index, inner) => {
    if (index >= tensorLimits.tensors) {
      throw invalid(`more than ${tensorLimits.tensors} ${role}s`);
    }
    if (scanner.peek() !== 0x7b) throw invalid(`${role} ${index} is not an object`);
    tensors.push(readTensor(scanner, inner, role, index));
  });
  return tensors;
}

function readTensor(
  scanner: JsonScanner,
  depth: number,
  role: string,
  index: number,
): PendingTensor {
  const fields: Fields = {};
  const label = (): string =>
    fields.name === undefined ? `${role} ${index}` : `${role} '${fields.name}'`;
  scanner.readObject(depth, (key, inner) => {
    if (key === "name") fields.name = readName(scanner, label());
    else if (key === "datatype") fields.datatype = readDatatype(scanner, label());
    else if (key === "shape") fields.shape = readShape(scanner, inner, label());
    else if (key === "parameters") fields.parameters = readParameters(scanner, inner, label());
    else if (key === "data") readData(scanner, inner, fields, label());
    else scanner.skipValue(inner);
  });
  return finish(scanner, depth + 1, fields, label());
}

/** Reads elements at once where datatype and shape came first, as they nearly always do; else notes the place. */
function readData(scanner: JsonScanner, depth: number, fields: Fields, label: string): void {
  delete fields.data;
  delete fields.dataAt;
  if (scanner.acceptWord("null")) return;
  fields.dataAt = scanner.pos;
  const { datatype, shape } = fields;
  if (datatype === undefined || shape === undefined) {
    skipData(scanner, depth);
    return;
  }
  const count = elementCount(shape, label);
  fields.data = {
    value: readElements(scanner, depth, { datatype, count, label }),
    datatype,
    count,
  };
}

/** Skips `data` whose datatype is not known yet: bare words of non-finite numbers may be in it. */
function skipData(scanner: JsonScanner, depth: number): void {
  if (scanner.peek() === 0x5b) {
    scanner.readArray(depth, (_, inner) => skipData(scanner, inner));
  } else if (
    !(
      scanner.acceptWord("NaN") ||
      scanner.acceptWord("Infinity") ||
      scanner.acceptWord("-Infinity")
    )
  ) {
    scanner.skipValue(depth);
  }
}

function finish(scanner: JsonScanner, depth: number, fields: Fields, label: string): PendingTensor {
  const { name, datatype, shape, dataAt, data } = fields;
  if (name === undefined) throw invalid(`${label} has no name`);
  if (datatype === undefined) throw invalid(`${label} has no datatype`);
  if (shape === undefined) throw invalid(`${label} has no shape`);
  const count = elementCount(shape, label);
  const parameters = fields.parameters ?? new Map();
  for (const key of parameters.keys()) {
    if (key.startsWith("shared_memory_")) {
      throw fail("EXTENSION_UNSUPPORTED", `${label} is in shared memory, which is not supported`);
    }
  }
  const size = countParameter(parameters, "binary_data_size");
  const tensor = (value: TensorData): Tensor => ({ name, datatype, shape, data: value });
  if (size !== undefined) {
    if (dataAt !== undefined) throw invalid(`${label} has both data and binary_data_size`);
    return (blobs) => {
      if (size === 0) return tensor(readBlob(new Uint8Array(0), { datatype, count, label }));
      if (blobs === null) {
        throw invalid(
          `${label} has a binary_data_size of ${size}, but the request has no Inference-Header-Content-Length header`,
        );
      }
      if (datatype === "BYTES") blobs.counter.addStrings(count, label);
      return tensor(readBlob(blobs.take(size, label), { datatype, count, label }));
    };
  }
  if (dataAt === undefined) throw invalid(`${label} has neither data nor binary_data_size`);
  if (data !== undefined && data.datatype === datatype && data.count === count) {
    return () => tensor(data.value);
  }
  const end = scanner.pos;
  scanner.pos = dataAt;
  const value = readElements(scanner, depth, { datatype, count, label });
  scanner.pos = end;
  return () => tensor(value);
}

function readName(scanner: JsonScanner, label: string): string {
  if (scanner.peek() !== 0x22) throw invalid(`the name of ${label} is not a string`);
  return scanner.readString();
}

function readDatatype(scanner: JsonScanner, label: string): Datatype {
  if (scanner.peek() !== 0x22) throw invalid(`the datatype of ${label} is not a string`);
  const text = scanner.readString();
  if (isDatatype(text)) return text;
  const known = Object.keys(datatypes).join(", ");
  throw invalid(`the datatype '${text.slice(0, 40)}' of ${label} is not one of ${known}`);
}

function readShape(scanner: JsonScanner, depth: number, label: string): number[] {
  const wrong = () => invalid(`the shape of ${label} is not an array of non-negative integers`);
  if (scanner.peek() !== 0x5b) throw wrong();
  const shape: number[] = [];
  scanner.readArray(depth, () => {
    const byte = scanner.peek();
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) throw wrong();
    const dimension = scanner.readNumber();
    if (!Number.isSafeInteger(dimension) || dimension < 0) throw wrong();
    if (shape.length > tensorLimits.dimensions) return;
    shape.push(dimension === 0 ? 0 : dimension);
  });
  return shape;
}

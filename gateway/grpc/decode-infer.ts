import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { fail, isAppError } from "@/lib/common/errors";
import {
  classCount,
  type Datatype,
  datatypes,
  elementCount,
  type InferRequest,
  type ParameterValue,
  type RequestedOutput,
  readBlob,
  type Tensor,
  tensorLimits,
} from "@/lib/common/tensor";
import { readContents } from "./contents";

export interface DecodedInfer {
  readonly model: string;
  /** Empty: none was named. */
  readonly version: string;
  /** Reads the tensors: only once it is known that there is such a model. */
  readonly request: () => InferRequest;
}

interface Input {
  name: string;
  datatype: string;
  readonly shape: number[];
  contents: Uint8Array | null;
}

/** What a request is made of, before its tensors are read. */
interface Parts {
  model: string;
  version: string;
  id: string;
  readonly parameters: Map<string, ParameterValue>;
  readonly inputs: Input[];
  readonly outputs: RequestedOutput[];
  readonly raw: Uint8Array[];
}

/**
 * Reads a `ModelInferRequest`. Counts are bounded while reading, so that no message makes more objects than it may have
 * tensors; raw contents are views of `bytes` where they are aligned.
 *
 * @throws {AppError} `INFER_INVALID`, `BODY_TOO_LARGE`, `EXTENSION_UNSUPPORTED`.
 */
export function decodeInfer(bytes: Uint8Array): DecodedInfer {
  const parts = guarded(() => readParts(new BinaryReader(bytes)));
  const { model, version } = parts;
  return { model, version, request: () => guarded(() => finish(parts)) };
}

/** The reader's own errors say nothing that a caller could use. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw fail("INFER_INVALID", "the message is not a whole ModelInferRequest", { cause });
  }
}

function readParts(reader: BinaryReader): Parts {
  const parts: Parts = {
    model: "",
    version: "",
    id: "",
    parameters: new Map(),
    inputs: [],
    outputs: [],
    raw: [],
  };
  readFields(reader, {
    1: () => (parts.model = reader.string()),
    2: () => (parts.version = reader.string()),
    3: () => (parts.id = reader.string()),
    4: () => readParameter(sub(reader), parts.parameters),
    5: () => push(parts.inputs, readInput(sub(reader)), "inputs"),
    6: () => push(parts.outputs, readOutput(sub(reader)), "outputs"),
    7: () => push(parts.raw, reader.bytes(), "raw contents"),
  });
  return parts;
}

const sub = (reader: BinaryReader): BinaryReader => new BinaryReader(reader.bytes());

/** Reads every field there is a rule for, and skips the others. */
function readFields(reader: BinaryReader, rules: Readonly<Record<number, () => unknown>>): void {
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const rule = rules[number];
    if (!rule) reader.skip(wireType, number);
    else if (wireType === WireType.LengthDelimited) rule();
    else throw new Error(`field ${number} has wire type ${wireType}`);
  }
}

function push<T>(list: T[], item: T, what: string): void {
  if (list.length >= tensorLimits.tensors)
    throw invalid(`more than ${tensorLimits.tensors} ${what}`);
  list.push(item);
}

function readInput(reader: BinaryReader): Input {
  const input: Input = { name: "", datatype: "", shape: [], contents: null };
  const parameters = new Map<string, ParameterValue>();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 3) readShape(reader, wireType, input);
    else if (wireType !== WireType.LengthDelimited) reader.skip(wireType, number);
    else if (number === 1) input.name = reader.string();
    else if (number === 2) input.datatype = reader.string();
    else if (number === 4) readParameter(sub(reader), parameters);
    else if (number === 5) input.contents = reader.bytes();
    else reader.skip(wireType, number);
  }
  refuseSharedMemory(parameters, `input '${input.name}'`);
  return input;
}

function readShape(reader: BinaryReader, wireType: WireType, { name, shape }: Input): void {
  const packed = wireType === WireType.LengthDelimited ? sub(reader) : null;
  const take = (from: BinaryReader): void => {
    const dimension = Number(from.int64());
    if (!Number.isSafeInteger(dimension) || dimension < 0) {
      throw invalid(`the shape of input '${name}' has the dimension ${dimension}`);
    }
    if (shape.length > tensorLimits.dimensions)
      throw invalid(`input '${name}' has too many dimensions`);
    shape.push(dimension);
  };
  if (!packed) take(reader);
  else while (packed.pos < packed.len) take(packed);
}

function readOutput(reader: BinaryReader): RequestedOutput {
  let name = "";
  const parameters = new Map<string, ParameterValue>();
  readFields(reader, {
    1: () => (name = reader.string()),
    2: () => readParameter(sub(reader), parameters),
  });
  refuseSharedMemory(parameters, `output '${name}'`);
  const classes = parameters.get("classification");
  if (classes === undefined) return { name, binary: undefined };
  return { name, binary: undefined, classification: classCount(classes, name) };
}

function refuseSharedMemory(parameters: ReadonlyMap<string, ParameterValue>, label: string): void {
  for (const key of parameters.keys()) {
    if (key.startsWith("shared_memory_")) {
      throw fail("EXTENSION_UNSUPPORTED", `${label} is in shared memory, which is not supported`);
    }
  }
}

/** One entry of a map of parameters. */
function readParameter(reader: BinaryReader, into: Map<string, ParameterValue>): void {
  let key = "";
  let value: ParameterValue | undefined;
  readFields(reader, {
    1: () => (key = reader.string()),
    2: () => (value = readValue(sub(reader))),
  });
  if (into.size >= 256) throw invalid("more than 256 parameters");
  if (value !== undefined) into.set(key, value);
}

function readValue(reader: BinaryReader): ParameterValue | undefined {
  let value: ParameterValue | undefined;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) value = reader.bool();
    else if (number === 2) value = BigInt(reader.int64());
    else if (number === 3) value = reader.string();
    else if (number === 4) value = reader.double();
    else if (number === 5) value = BigInt(reader.uint64());
    else reader.skip(wireType, number);
  }
  return value;
}

function finish({ model, id, parameters, inputs, outputs, raw }: Parts): InferRequest {
  const names = new Set(outputs.map(({ name }) => name));
  if (names.size < outputs.length) throw invalid("an output is requested more than once");
  if (raw.length > 0) {
    const typed = inputs.find(({ contents }) => contents !== null);
    if (typed) {
      throw invalid(
        `contents field must not be specified when using raw_input_contents for '${typed.name}' for model '${model}'`,
      );
    }
    if (raw.length !== inputs.length) {
      throw invalid(
        `expected ${inputs.length} raw_input_contents but got ${raw.length} for model '${model}'`,
      );
    }
  }
  const wantsTyped = parameters.get("binary_data_output") === false;
  return {
    id,
    parameters,
    inputs: inputs.map((input, index) => toTensor(input, raw[index])),
    outputs,
    binaryOutput: !wantsTyped,
  };
}

function toTensor({ name, datatype, shape, contents }: Input, raw: Uint8Array | undefined): Tensor {
  const label = `input '${name}'`;
  if (!Object.hasOwn(datatypes, datatype)) {
    throw invalid(`the datatype '${datatype.slice(0, 40)}' of ${label} is not known`);
  }
  const known = datatype as Datatype;
  const count = elementCount(shape, label);
  const request = { datatype: known, count, label };
  if (raw !== undefined) return { name, datatype: known, shape, data: readBlob(raw, request) };
  if (contents === null && count > 0) throw invalid(`${label} has no contents`);
  const data = readContents(contents ?? new Uint8Array(0), request);
  return { name, datatype: known, shape, data };
}

const invalid = (message: string) => fail("INFER_INVALID", message);

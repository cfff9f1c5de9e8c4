import { WireType } from "@bufbuild/protobuf/wire";
import { fail, isAppError } from "@/lib/common/errors";
import {
  classCount,
  ElementCounter,
  elementCount,
  type InferRequest,
  isDatatype,
  type ParameterValue,
  type RequestedOutput,
  readBlob,
  type Tensor,
  type TensorData,
  type TensorSpec,
  tensorLimits,
} from "@/lib/common/tensor";
import { type ContentsRequest, readContents } from "../codec";
import { WireReader } from "./wire-reader";

/** A `ModelInferRequest` as far as it is read before its caller is known: names and sizes, no tensors. */
export interface DecodedInfer {
  readonly model: string;
  /** Empty: none was named. */
  readonly version: string;
  /** Empty: the caller gave none. */
  readonly id: string;
  /** Bytes of typed contents, which are read one element after the other. */
  readonly typedBytes: number;
  /** Names, datatypes and shapes of the inputs: they can be checked before the tensors are read. */
  readonly heads: () => readonly TensorSpec[];
  /** Reads the tensors: only once it is known that there is such a model. */
  readonly request: (read?: ReadContents) => InferRequest | Promise<InferRequest>;
}

/** How typed contents are read: at once, or elsewhere where there are many. */
type ReadContents = (
  bytes: Uint8Array,
  request: ContentsRequest,
) => TensorData | Promise<TensorData>;

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
  const parts = guarded(() => readParts(new WireReader(bytes)));
  const { model, version, id, inputs } = parts;
  return {
    model,
    version,
    id,
    typedBytes: inputs.reduce((sum, { contents }) => sum + (contents?.length ?? 0), 0),
    heads: () => inputs.map(headOf),
    request: (read = readContents) => guarded(() => finish(parts, read)),
  };
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

function readParts(reader: WireReader): Parts {
  const parts: Parts = {
    model: "",
    version: "",
    id: "",
    parameters: new Map(),
    inputs: [],
    outputs: [],
    raw: [],
  };
  reader.fields({
    1: () => (parts.model = reader.text()),
    2: () => (parts.version = reader.text()),
    3: () => (parts.id = reader.text()),
    4: () => readParameter(reader.part(), parts.parameters),
    5: () => push(parts.inputs, readInput(reader.part()), "inputs"),
    6: () => push(parts.outputs, readOutput(reader.part()), "outputs"),
    7: () => push(parts.raw, reader.bytes(), "raw contents"),
  });
  return parts;
}

function push<T>(list: T[], item: T, what: string): void {
  if (list.length >= tensorLimits.tensors)
    throw invalid(`more than ${tensorLimits.tensors} ${what}`);
  list.push(item);
}

function readInput(reader: WireReader): Input {
  const input: Input = { name: "", datatype: "", shape: [], contents: null };
  const parameters = new Map<string, ParameterValue>();
  while (!reader.atEnd) {
    const [number, wireType] = reader.tag();
    if (number === 3) readShape(reader, wireType, input);
    else if (number > 5) reader.skip(wireType, number);
    else if (wireType !== WireType.LengthDelimited) {
      throw new Error(`field ${number} has wire type ${wireType}`);
    } else if (number === 1) input.name = reader.text();
    else if (number === 2) input.datatype = reader.text();
    else if (number === 4) readParameter(reader.part(), parameters);
    else if (input.contents === null) input.contents = reader.bytes();
    else throw invalid(`input '${input.name}' has its contents more than once`);
  }
  refuseSharedMemory(parameters, `input '${input.name}'`);
  return input;
}

function readShape(reader: WireReader, wireType: WireType, { name, shape }: Input): void {
  const take = (from: WireReader): void => {
    const dimension = Number(from.int64());
    if (!Number.isSafeInteger(dimension) || dimension < 0) {
      throw invalid(`the shape of input '${name}' has the dimension ${dimension}`);
    }
    if (shape.length > tensorLimits.dimensions)
      throw invalid(`input '${name}' has too many dimensions`);
    shape.push(dimension);
  };
  if (wireType === WireType.Varint) take(reader);
  else if (wireType === WireType.LengthDelimited) {
    const packed = reader.part();
    while (!packed.atEnd) take(packed);
  } else throw new Error(`a shape has wire type ${wireType}`);
}

function readOutput(reader: WireReader): RequestedOutput {
  let name = "";
  const parameters = new Map<string, ParameterValue>();
  reader.fields({
    1: () => (name = reader.text()),
    2: () => readParameter(reader.part(), parameters),
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
function readParameter(reader: WireReader, into: Map<string, ParameterValue>): void {
  let key = "";
  let value: ParameterValue | undefined;
  reader.fields({
    1: () => (key = reader.text()),
    2: () => (value = readValue(reader.part())),
  });
  if (into.size >= 256) throw invalid("more than 256 parameters");
  if (value !== undefined) into.set(key, value);
}

function readValue(reader: WireReader): ParameterValue | undefined {
  let value: ParameterValue | undefined;
  const varint = (read: () => ParameterValue) => ({
    wireType: WireType.Varint,
    read: () => (value = read()),
  });
  reader.fields({
    1: varint(() => reader.bool()),
    2: varint(() => BigInt(reader.int64())),
    3: () => (value = reader.text()),
    4: { wireType: WireType.Bit64, read: () => (value = reader.double()) },
    5: varint(() => BigInt(reader.uint64())),
  });
  return value;
}

function finish(
  { model, id, parameters, inputs, outputs, raw }: Parts,
  read: ReadContents,
): InferRequest | Promise<InferRequest> {
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
  const whole = (tensors: readonly Tensor[]): InferRequest => ({
    id,
    parameters,
    inputs: tensors,
    outputs,
    binaryOutput: !wantsTyped,
  });
  const counter = new ElementCounter();
  const tensors = inputs.map((input, index) => toTensor(input, { raw: raw[index], counter, read }));
  return tensors.every(isRead) ? whole(tensors) : Promise.all(tensors).then(whole);
}

function isRead(tensor: Tensor | Promise<Tensor>): tensor is Tensor {
  return !(tensor instanceof Promise);
}

function headOf({ name, datatype, shape }: Input): TensorSpec {
  if (!isDatatype(datatype)) {
    throw invalid(`the datatype '${datatype.slice(0, 40)}' of input '${name}' is not known`);
  }
  return { name, datatype, shape };
}

function toTensor(
  input: Input,
  {
    raw,
    counter,
    read,
  }: {
    readonly raw: Uint8Array | undefined;
    readonly counter: ElementCounter;
    readonly read: ReadContents;
  },
): Tensor | Promise<Tensor> {
  const { name, datatype, shape } = headOf(input);
  const label = `input '${name}'`;
  const count = elementCount(shape, label);
  const request = { datatype, count, label };
  if (datatype === "BYTES") counter.addStrings(count, label);
  if (raw !== undefined) return { name, datatype, shape, data: readBlob(raw, request) };
  const { contents } = input;
  if (contents === null && count > 0) throw invalid(`${label} has no contents`);
  counter.list(count, label);
  const data = read(contents ?? new Uint8Array(0), request);
  return data instanceof Promise
    ? data.then((found) => ({ name, datatype, shape, data: found }))
    : { name, datatype, shape, data };
}

const invalid = (message: string) => fail("INFER_INVALID", message);

import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { fail, isAppError } from "@/lib/common/errors";
import { type Datatype, type Tensor, type TensorData, tensorLimits } from "@/lib/common/tensor";

type Value = number | bigint | Uint8Array;

/** How a datatype travels in `InferTensorContents`. */
interface Field {
  readonly number: number;
  /** Of a single value; several come packed, but for bytes. */
  readonly wireType: WireType;
  read(reader: BinaryReader): Value;
  write(writer: BinaryWriter, value: Value): unknown;
  make(length: number): TensorData;
  /** What its smaller integers may be; the wire has only 32 bits. */
  readonly range?: readonly [number, number];
}

const varint = WireType.Varint;
const int32 = (make: Field["make"], range?: Field["range"]): Field => ({
  number: 2,
  wireType: varint,
  read: (reader) => reader.int32(),
  write: (writer, value) => writer.int32(Number(value)),
  make,
  ...(range ? { range } : {}),
});
const uint32 = (make: Field["make"], range?: Field["range"]): Field => ({
  number: 4,
  wireType: varint,
  read: (reader) => reader.uint32(),
  write: (writer, value) => writer.uint32(Number(value)),
  make,
  ...(range ? { range } : {}),
});

const fields: Readonly<Partial<Record<Datatype, Field>>> = {
  BOOL: {
    number: 1,
    wireType: varint,
    read: (reader) => Number(reader.bool()),
    write: (writer, value) => writer.bool(value !== 0),
    make: (length) => new Uint8Array(length),
  },
  INT8: int32((length) => new Int8Array(length), [-128, 127]),
  INT16: int32((length) => new Int16Array(length), [-32_768, 32_767]),
  INT32: int32((length) => new Int32Array(length)),
  UINT8: uint32((length) => new Uint8Array(length), [0, 255]),
  UINT16: uint32((length) => new Uint16Array(length), [0, 65_535]),
  UINT32: uint32((length) => new Uint32Array(length)),
  INT64: {
    number: 3,
    wireType: varint,
    read: (reader) => BigInt(reader.int64()),
    write: (writer, value) => writer.int64(value as bigint),
    make: (length) => new BigInt64Array(length),
  },
  UINT64: {
    number: 5,
    wireType: varint,
    read: (reader) => BigInt(reader.uint64()),
    write: (writer, value) => writer.uint64(value as bigint),
    make: (length) => new BigUint64Array(length),
  },
  FP32: {
    number: 6,
    wireType: WireType.Bit32,
    read: (reader) => reader.float(),
    write: (writer, value) => writer.float(Number(value)),
    make: (length) => new Float32Array(length),
  },
  FP64: {
    number: 7,
    wireType: WireType.Bit64,
    read: (reader) => reader.double(),
    write: (writer, value) => writer.double(Number(value)),
    make: (length) => new Float64Array(length),
  },
  BYTES: {
    number: 8,
    wireType: WireType.LengthDelimited,
    read: (reader) => reader.bytes(),
    write: (writer, value) => writer.bytes(value as Uint8Array),
    make: () => [],
  },
};

/** What the typed contents of a gRPC tensor must hold. */
export interface ContentsRequest {
  readonly datatype: Datatype;
  /** Elements of the shape. */
  readonly count: number;
  /** How errors name the tensor: `input 'x'`. */
  readonly label: string;
}

/**
 * Reads an `InferTensorContents` message into an array.
 *
 * @throws {AppError} `INFER_INVALID` for the field of another datatype, values out of range, another count.
 */
export function readContents(bytes: Uint8Array, request: ContentsRequest): TensorData {
  try {
    return readAll(bytes, request);
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw fail("INFER_INVALID", `the contents of ${request.label} cannot be read`, { cause });
  }
}

function readAll(bytes: Uint8Array, { datatype, count, label }: ContentsRequest): TensorData {
  const field = fields[datatype];
  if (!field) throw invalid(`${label} of datatype ${datatype} can only be sent as raw contents`);
  // An element takes a byte at least: a false shape cannot make us allocate more than was sent.
  const data = field.make(Math.min(count, bytes.length)) as { [index: number]: Value };
  let length = 0;
  const take = (reader: BinaryReader): void => {
    const value = field.read(reader);
    const [least, most] = field.range ?? [];
    if (
      least !== undefined &&
      most !== undefined &&
      (Number(value) < least || Number(value) > most)
    ) {
      throw invalid(`element ${length} of ${label} is ${value}, out of the range of ${datatype}`);
    }
    if (length === count)
      throw invalid(`${label} has more than the ${count} elements of its shape`);
    data[length++] = value;
  };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number !== field.number) {
      throw invalid(`the contents of ${label} are not in the field of datatype ${datatype}`);
    }
    if (wireType === field.wireType) take(reader);
    else if (wireType === WireType.LengthDelimited) {
      const packed = new BinaryReader(reader.bytes());
      while (packed.pos < packed.len) take(packed);
    } else throw invalid(`the contents of ${label} cannot be read`);
  }
  if (length !== count) {
    throw invalid(`${label} has ${length} elements where its shape has ${count}`);
  }
  return data as unknown as TensorData;
}

/** The `InferTensorContents` message of a tensor. @throws {AppError} `INFER_INVALID` */
export function writeTypedContents(tensor: Tensor): Uint8Array {
  if (tensor.data.length > tensorLimits.listed) {
    throw invalid(
      `output '${tensor.name}' has more than ${tensorLimits.listed} elements, which are only sent raw`,
    );
  }
  const writer = new BinaryWriter();
  writeContents(writer, tensor);
  return writer.finish();
}

/** Writes a tensor's elements as an `InferTensorContents` message's fields. @throws {AppError} `INFER_INVALID` */
function writeContents(writer: BinaryWriter, { name, datatype, data }: Tensor): void {
  const field = fields[datatype];
  if (!field) throw invalid(`output '${name}' of datatype ${datatype} is only sent raw`);
  const values = data as ArrayLike<Value>;
  if (datatype === "BYTES") {
    for (let i = 0; i < values.length; i++) {
      field.write(writer.tag(field.number, field.wireType), values[i] as Value);
    }
    return;
  }
  writer.tag(field.number, WireType.LengthDelimited).fork();
  for (let i = 0; i < values.length; i++) field.write(writer, values[i] as Value);
  writer.join();
}

const invalid = (message: string) => fail("INFER_INVALID", message);

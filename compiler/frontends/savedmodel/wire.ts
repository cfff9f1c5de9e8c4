import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type AppError, fail } from "@/lib/common/errors";
import { limits } from "./limits";

/** One field of a protobuf message. `bytes` is empty for numbers, `value` 0 for everything else. */
interface Field {
  readonly number: number;
  readonly value: bigint;
  readonly bytes: Uint8Array;
}

const text = new TextDecoder();
const empty = new Uint8Array();

/**
 * The fields of a message in their order. Messages inside are handed out as bytes, so that how deep they lie inside each
 * other costs nothing, and a message that nobody asks for is never looked at.
 *
 * @throws {AppError} `MODEL_INVALID` for bytes that are no protobuf message.
 */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) yield orInvalid(() => nextField(reader));
}

function nextField(reader: BinaryReader): Field {
  const [number, wireType] = reader.tag();
  switch (wireType) {
    case WireType.Varint:
      return { number, value: BigInt(reader.uint64()), bytes: empty };
    case WireType.LengthDelimited:
      return { number, value: 0n, bytes: reader.bytes() };
    case WireType.Bit32:
    case WireType.Bit64:
      reader.skip(wireType);
      return { number, value: 0n, bytes: empty };
    default:
      throw new RangeError(`wire type ${wireType}`);
  }
}

/** @throws {AppError} `MODEL_INVALID` where the reader cannot go on. */
function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid();
  }
}

/** Every message, text or list that a field holds. */
export function* messagesAt(message: Uint8Array, number: number): Generator<Uint8Array> {
  for (const field of fieldsOf(message)) if (field.number === number) yield field.bytes;
}

/**
 * The message or text of a field that is there once; empty if it is not there.
 *
 * @throws {AppError} `MODEL_INVALID` if it is there twice: decoders would not agree on what that means.
 */
export function messageAt(message: Uint8Array, number: number): Uint8Array {
  const [only = empty, another] = messagesAt(message, number);
  if (another !== undefined) throw invalid();
  return only;
}

/** @throws {AppError} `MODEL_TOO_COMPLEX` for a name that is too long. */
export function nameAt(message: Uint8Array, number: number): string {
  return nameOf(messageAt(message, number));
}

/** @throws {AppError} `MODEL_TOO_COMPLEX` for a name that is too long. */
export function nameOf(bytes: Uint8Array): string {
  if (bytes.length <= limits.nameBytes) return text.decode(bytes);
  throw fail("MODEL_TOO_COMPLEX", `A name of the model is ${bytes.length} bytes long.`);
}

/** A signed number; 0 if the field is not there. Exact below 2^53, beyond which no number here means anything. */
export function numberAt(message: Uint8Array, number: number): number {
  let last = 0n;
  for (const field of fieldsOf(message)) if (field.number === number) last = field.value;
  return Number(BigInt.asIntN(64, last));
}

/**
 * A list of numbers, one for each field or packed into one.
 *
 * @throws {AppError} `MODEL_TOO_COMPLEX` for more than `limits.numbers`.
 */
export function numbersAt(message: Uint8Array, number: number): number[] {
  const numbers: number[] = [];
  const add = (value: number): void => {
    numbers.push(value);
    if (numbers.length <= limits.numbers) return;
    throw fail("MODEL_TOO_COMPLEX", `The model lists more than ${limits.numbers} numbers.`);
  };
  for (const field of fieldsOf(message)) {
    if (field.number !== number) continue;
    if (field.bytes.length === 0) add(Number(field.value));
    const packed = new BinaryReader(field.bytes);
    while (packed.pos < packed.len) add(Number(orInvalid(() => packed.uint64())));
  }
  return numbers;
}

/** The entries of a map, whose values are messages. Of a key that is there twice, the last counts. */
export function mapAt(message: Uint8Array, number: number): Map<string, Uint8Array> {
  const map = new Map<string, Uint8Array>();
  for (const entry of messagesAt(message, number)) map.set(nameAt(entry, 1), messageAt(entry, 2));
  return map;
}

function invalid(): AppError {
  return fail("MODEL_INVALID", "saved_model.pb is damaged, or is no SavedModel.", {
    hint: "It may have been damaged on the way; save the model and pack its folder again.",
  });
}

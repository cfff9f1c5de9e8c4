import { type Datatype, datatypes } from "./datatypes";
import { invalid } from "./shape";
import type { TensorData } from "./tensor";

const views = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
} as const;

/** What a blob must hold. */
export interface BlobRequest {
  readonly datatype: Datatype;
  readonly count: number;
  /** How errors name the tensor: `input 'x'`. */
  readonly label: string;
}

/**
 * Reads a tensor's little-endian blob: a view where its place in memory is aligned, else one copy. The host is
 * little-endian, as every platform that Node runs on here is.
 *
 * @throws {AppError} `INFER_INVALID` when the size or the length prefixes do not fit.
 */
export function readBlob(blob: Uint8Array, { datatype, count, label }: BlobRequest): TensorData {
  if (datatype === "BYTES") return readByteStrings(blob, count, label);
  const expected = count * datatypes[datatype].bytes;
  if (blob.length !== expected) {
    throw invalid(
      `input byte size mismatch for ${label}: ${expected} bytes expected for its shape, got ${blob.length}`,
    );
  }
  if (datatype === "BOOL") return normalisedBools(blob);
  const View = views[datatype];
  const aligned = blob.byteOffset % View.BYTES_PER_ELEMENT === 0 ? blob : new Uint8Array(blob);
  return new View(aligned.buffer as ArrayBuffer, aligned.byteOffset, count);
}

/** The bytes of a tensor as they travel; a view of its array, besides BYTES, which are put together. */
export function writeBlob(data: TensorData): Uint8Array {
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  }
  const blob = new Uint8Array(data.reduce((size, element) => size + 4 + element.length, 0));
  const prefix = new DataView(blob.buffer);
  let offset = 0;
  for (const element of data) {
    prefix.setUint32(offset, element.length, true);
    blob.set(element, offset + 4);
    offset += 4 + element.length;
  }
  return blob;
}

/** Any byte but 0 is true; our own arrays hold 0 and 1 only. Four bytes at a time: there can be many millions. */
function normalisedBools(blob: Uint8Array): Uint8Array {
  const whole = blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob);
  const words = new Uint32Array(whole.buffer as ArrayBuffer, whole.byteOffset, whole.length >> 2);
  const rest = whole.subarray(4 * words.length);
  let odd = 0;
  for (let i = 0; i < words.length; i++) odd |= words[i] as number;
  if ((odd & 0xfefefefe) === 0 && rest.every((byte) => byte <= 1)) return blob;
  const bools = new Uint8Array(whole.length);
  const into = new Uint32Array(bools.buffer, 0, words.length);
  for (let i = 0; i < words.length; i++) {
    let word = words[i] as number;
    // Each byte gathers its bits in its lowest one.
    word |= (word >>> 4) & 0x0f0f0f0f;
    word |= (word >>> 2) & 0x33333333;
    word |= (word >>> 1) & 0x55555555;
    into[i] = word & 0x01010101;
  }
  rest.forEach((byte, index) => {
    bools[4 * words.length + index] = byte === 0 ? 0 : 1;
  });
  return bools;
}

function readByteStrings(blob: Uint8Array, count: number, label: string): Uint8Array[] {
  const prefix = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const elements: Uint8Array[] = [];
  let offset = 0;
  while (offset < blob.length) {
    if (elements.length === count) {
      throw invalid(`${label} has more than the ${count} BYTES elements of its shape`);
    }
    if (offset + 4 > blob.length) {
      throw invalid(`element ${elements.length} of ${label}: its length prefix is cut off`);
    }
    const length = prefix.getUint32(offset, true);
    offset += 4;
    if (length > blob.length - offset) {
      throw invalid(
        `element ${elements.length} of ${label}: its length ${length} goes past the end of the data`,
      );
    }
    elements.push(blob.subarray(offset, offset + length));
    offset += length;
  }
  if (elements.length !== count) {
    throw invalid(`${label} has ${elements.length} BYTES elements, its shape asks for ${count}`);
  }
  return elements;
}

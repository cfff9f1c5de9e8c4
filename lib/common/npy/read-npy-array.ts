import type { AppError } from "@/lib/common/errors";
import type { Datatype, TensorData } from "@/lib/common/tensor";

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** Whether bytes begin as a `.npy` file does; the rest is not looked at. */
export const isNpy = (bytes: Uint8Array) => magic.every((byte, at) => bytes[at] === byte);

/** Makes the error of a file that cannot be read. `what` goes on where "the file" ends: `holds no rows`. */
export type Refuse = (what: string, hint?: string) => AppError;

/** What the header of a file announces. */
export interface NpyHead {
  /** NumPy's own word for the elements, such as `<f4`. */
  readonly descr: string;
  /** The V2 datatype of the elements. */
  readonly datatype: Datatype;
  /** Bytes of an element in the file. */
  readonly elementBytes: number;
  readonly isBigEndian: boolean;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** Where the elements begin. */
  readonly start: number;
}

/** An array with its elements row-major, as tensors have them: FP16 and BF16 as bits, BOOL as 0 or 1. */
export interface NpyArray {
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** NumPy's kinds and sizes of numbers. `V2` is how the bfloat16 of ml_dtypes, which NumPy does not know, is saved. */
const numbers: Readonly<Record<string, Exclude<Datatype, "BYTES">>> = {
  b1: "BOOL",
  i1: "INT8",
  i2: "INT16",
  i4: "INT32",
  i8: "INT64",
  u1: "UINT8",
  u2: "UINT16",
  u4: "UINT32",
  u8: "UINT64",
  f2: "FP16",
  V2: "BF16",
  f4: "FP32",
  f8: "FP64",
};
const arrays = {
  BOOL: Uint8Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
} as const;

const saveHint = 'Save plain numbers: np.save("rows.npy", X.astype("float32")).';
/** More than any header of an array has, and less than would be slow to read. */
const maxHeaderBytes = 65_536;
/** As many axes as NumPy itself allows. */
const maxAxes = 64;

/**
 * Reads what a `.npy` file announces: versions 1 to 3, either byte order. Objects are refused unopened: they are pickles.
 *
 * @throws {AppError} what `refuse` makes of it.
 * @see https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export function readNpyHead(bytes: Uint8Array, refuse: Refuse): NpyHead {
  const broken = () => refuse("has a header that is not NumPy's", saveHint);
  if (!isNpy(bytes) || bytes.length < 12) throw broken();
  const version = bytes[6] ?? 0;
  if (version < 1 || version > 3) {
    throw refuse(`is of version ${version} of the .npy format; 1 to 3 are read`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const before = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const start = before + length;
  if (length > maxHeaderBytes || start > bytes.length) throw broken();
  const text = new TextDecoder().decode(bytes.subarray(before, start));
  const type = /'descr'\s*:\s*(\[|'([^']*)')/.exec(text);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const axes = /'shape'\s*:\s*\(([\d,\sL]*)\)/.exec(text);
  if (!type || !order || !axes) throw broken();
  const shape = (axes[1] ?? "")
    .split(",")
    .map((axis) => axis.trim().replace(/L$/, ""))
    .filter((axis) => axis !== "")
    .map(Number);
  if (shape.length > maxAxes || !shape.every(Number.isSafeInteger)) throw broken();
  const elements = elementsOf(type[2], refuse);
  return { ...elements, isFortran: order[1] === "True", shape, start };
}

type Elements = Pick<NpyHead, "descr" | "datatype" | "elementBytes" | "isBigEndian">;

function elementsOf(descr: string | undefined, refuse: Refuse): Elements {
  if (descr === undefined) {
    throw refuse("holds records with named fields, no plain numbers", saveHint);
  }
  if (descr.includes("O")) {
    throw refuse("holds Python objects, which are pickled code and are never opened", saveHint);
  }
  const [, order, kind = "", letter, digits] = /^([<>|=])(([a-zA-Z])(\d{1,6}))$/.exec(descr) ?? [];
  const size = Number(digits);
  const isBigEndian = order === ">";
  const datatype = Object.hasOwn(numbers, kind) ? numbers[kind] : undefined;
  if (datatype) return { descr, datatype, elementBytes: size, isBigEndian };
  if (letter === "S") return { descr, datatype: "BYTES", elementBytes: size, isBigEndian };
  if (letter === "U") return { descr, datatype: "BYTES", elementBytes: 4 * size, isBigEndian };
  throw refuse(`holds values of type ${descr}, no plain numbers`, saveHint);
}

/**
 * Reads a whole array. What it announces is held against what is there before anything is made for it, so that a false
 * shape costs nothing.
 *
 * @throws {AppError} what `refuse` makes of it.
 */
export function readNpyArray(bytes: Uint8Array, refuse: Refuse): NpyArray {
  const head = readNpyHead(bytes, refuse);
  const { datatype, elementBytes, shape, start } = head;
  const count = shape.reduce((product, size) => product * size, 1);
  const wanted = count * elementBytes;
  if (bytes.length - start !== wanted) {
    throw refuse(
      `ends after ${bytes.length - start} bytes of numbers where its header announces ${wanted}`,
      "It was cut off on its way: send it again.",
    );
  }
  // Texts of no length take no bytes, however many there are.
  if (elementBytes === 0 && count > bytes.length) throw refuse("holds nothing but empty texts");
  const own = Uint8Array.from(bytes.subarray(start));
  if (head.isBigEndian) swap(own, datatype === "BYTES" ? 4 : elementBytes);
  const placed = head.isFortran && shape.length > 1 ? rowMajor(own, head) : own;
  if (datatype === "BYTES") return { datatype, shape, data: textsOf(placed, head, refuse) };
  const data = new arrays[datatype](placed.buffer);
  if (datatype === "BOOL")
    for (const [at, byte] of placed.entries()) placed[at] = byte === 0 ? 0 : 1;
  return { datatype, shape, data };
}

/** Turns the bytes of each word round, in place. */
function swap(bytes: Uint8Array, wordBytes: number): void {
  if (wordBytes < 2) return;
  for (let at = 0; at < bytes.length; at += wordBytes) bytes.subarray(at, at + wordBytes).reverse();
}

/** The elements of an array whose first axis runs fastest, in the order in which its last one does. */
function rowMajor(bytes: Uint8Array<ArrayBuffer>, head: NpyHead): Uint8Array<ArrayBuffer> {
  const { shape, elementBytes } = head;
  const strides = shape.map((_, axis) =>
    shape.slice(0, axis).reduce((product, size) => product * size, elementBytes),
  );
  const placed = new Uint8Array(bytes.length);
  const count = elementBytes === 0 ? 0 : bytes.length / elementBytes;
  for (let at = 0; at < count; at++) {
    let rest = at;
    let place = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      place += (rest % size) * (strides[axis] ?? 0);
      rest = Math.floor(rest / size);
    }
    placed.set(bytes.subarray(place, place + elementBytes), at * elementBytes);
  }
  return placed;
}

/** Texts of a fixed length, filled up with zeros: bytes as they are, code points as UTF-8. */
function textsOf(bytes: Uint8Array<ArrayBuffer>, head: NpyHead, refuse: Refuse): Uint8Array[] {
  const { elementBytes, descr, shape } = head;
  const count = shape.reduce((product, size) => product * size, 1);
  const encoder = new TextEncoder();
  return Array.from({ length: count }, (_, at) => {
    const element = bytes.slice(at * elementBytes, (at + 1) * elementBytes);
    if (descr[1] === "S") return element.subarray(0, lengthOf(element));
    const points = new Uint32Array(element.buffer);
    const text = points.subarray(0, lengthOf(points));
    if (text.some((point) => point > 0x10ffff)) throw refuse("holds texts that are no Unicode");
    return encoder.encode(String.fromCodePoint(...text));
  });
}

function lengthOf(list: Uint8Array | Uint32Array): number {
  let length = list.length;
  while (length > 0 && list[length - 1] === 0) length--;
  return length;
}

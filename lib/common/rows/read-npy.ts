import { fromFloat16Bits } from "@/lib/common/tensor";
import { invalidRows, maxRows, type Table } from "./table";

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** Whether bytes begin as a `.npy` file does; the rest is not looked at. */
export const isNpy = (bytes: Uint8Array) => magic.every((byte, at) => bytes[at] === byte);

type Reader = (view: DataView, at: number, little: boolean) => number;

/** NumPy's kinds and sizes of numbers, in both byte orders. */
const readers: Readonly<Record<string, Reader>> = {
  f2: (view, at, little) => fromFloat16Bits(view.getUint16(at, little)),
  f4: (view, at, little) => view.getFloat32(at, little),
  f8: (view, at, little) => view.getFloat64(at, little),
  i1: (view, at) => view.getInt8(at),
  i2: (view, at, little) => view.getInt16(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  i8: (view, at, little) => Number(view.getBigInt64(at, little)),
  u1: (view, at) => view.getUint8(at),
  u2: (view, at, little) => view.getUint16(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  u8: (view, at, little) => Number(view.getBigUint64(at, little)),
  b1: (view, at) => view.getUint8(at),
};

const saveHint = 'Save plain numbers: np.save("rows.npy", X.astype("float32")).';

/**
 * Reads an array of numbers as NumPy's `save` writes it: versions 1 to 3, either byte order, C or Fortran order. Axes
 * after the first are one row, flattened. Objects are refused unopened: they are pickles.
 *
 * @throws {AppError} `ROWS_INVALID`
 * @see https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
export function readNpy(bytes: Uint8Array, source: string): Table {
  const { descr, isFortran, shape, start } = readHeader(bytes, source);
  const [, order, kind = ""] = /^([<>|=])([a-zA-Z]\d+)$/.exec(descr) ?? [];
  const read = readers[kind];
  if (!read || order === undefined) {
    throw invalidRows(source, `holds values of type ${descr}, no plain numbers`, saveHint);
  }
  const [count = 0, ...rest] = shape;
  const columns = rest.reduce((product, size) => product * size, 1);
  if (shape.length < 2) {
    throw invalidRows(
      source,
      `holds an array of ${shape.length === 0 ? "no axes" : "one axis"}, not of rows`,
      "The first axis counts the rows: X.reshape(-1, inputs).",
    );
  }
  if (count === 0 || columns === 0) throw invalidRows(source, "holds no rows");
  if (count > maxRows) throw invalidRows(source, `holds more than ${maxRows} rows`);
  const size = Number(kind.slice(1));
  const wanted = count * columns * size;
  if (bytes.length - start !== wanted) {
    throw invalidRows(
      source,
      `ends after ${bytes.length - start} bytes of numbers where its header announces ${wanted}`,
      "It was cut off on its way: send it again.",
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, wanted);
  const values = new Float64Array(count * columns);
  const steps = isFortran ? columnMajor(shape) : null;
  for (let at = 0; at < values.length; at++) {
    const value = read(view, (steps ? steps(at) : at) * size, order !== ">");
    if (!Number.isFinite(Math.fround(value))) {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const what = Number.isNaN(value) ? "NaN" : `${value}, which is no finite 32-bit number,`;
      throw invalidRows(source, `has ${what} in row ${row}, column ${column} (counted from 0)`);
    }
    values[at] = value;
  }
  return { format: "npy", count, columns, header: null, values };
}

interface Header {
  readonly descr: string;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** Where the numbers begin. */
  readonly start: number;
}

function readHeader(bytes: Uint8Array, source: string): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const broken = () => invalidRows(source, "has a header that is not NumPy's", saveHint);
  if (bytes.length < 12) throw broken();
  const version = bytes[6] ?? 0;
  if (version < 1 || version > 3) {
    throw invalidRows(source, `is of version ${version} of the .npy format; 1 to 3 are read`);
  }
  const before = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > 65_536 || before + length > bytes.length) throw broken();
  const text = new TextDecoder().decode(bytes.subarray(before, before + length));
  const type = /'descr'\s*:\s*(\[|'([^']*)')/.exec(text);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text);
  const axes = /'shape'\s*:\s*\(([\d,\sL]*)\)/.exec(text);
  if (!type || !order || !axes) throw broken();
  if (type[2] === undefined) {
    throw invalidRows(source, "holds records with named fields, no plain numbers", saveHint);
  }
  if (/O/.test(type[2])) {
    throw invalidRows(
      source,
      "holds Python objects, which are pickled code and are never opened",
      saveHint,
    );
  }
  const shape = (axes[1] ?? "")
    .split(",")
    .map((axis) => axis.trim().replace(/L$/, ""))
    .filter((axis) => axis !== "")
    .map(Number);
  if (shape.some((size) => !Number.isSafeInteger(size))) throw broken();
  return { descr: type[2], isFortran: order[1] === "True", shape, start: before + length };
}

/** Where the element at a row-major place stands in an array whose first axis runs fastest. */
function columnMajor(shape: readonly number[]): (at: number) => number {
  const strides = shape.map((_, axis) =>
    shape.slice(0, axis).reduce((product, size) => product * size, 1),
  );
  return (at) => {
    let rest = at;
    let place = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] ?? 1;
      place += (rest % size) * (strides[axis] ?? 0);
      rest = Math.floor(rest / size);
    }
    return place;
  };
}

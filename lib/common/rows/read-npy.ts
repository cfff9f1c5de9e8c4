import { readNpyArray, readNpyHead } from "@/lib/common/npy";
import { fromBfloat16Bits, fromFloat16Bits } from "@/lib/common/tensor";
import { invalidRows, maxRows, type Table } from "./table";

/**
 * Reads an array of numbers as NumPy's `save` writes it. Axes after the first are one row, flattened.
 *
 * @throws {AppError} `ROWS_INVALID`
 */
export function readNpy(bytes: Uint8Array, source: string): Table {
  const refuse = (what: string, hint?: string) => invalidRows(source, what, hint);
  const { descr, datatype, shape } = readNpyHead(bytes, refuse);
  if (datatype === "BYTES") throw refuse(`holds values of type ${descr}, no plain numbers`);
  const [count = 0, ...rest] = shape;
  const columns = rest.reduce((product, size) => product * size, 1);
  if (shape.length < 2) {
    throw refuse(
      `holds an array of ${shape.length === 0 ? "no axes" : "one axis"}, not of rows`,
      "The first axis counts the rows: X.reshape(-1, inputs).",
    );
  }
  if (count === 0 || columns === 0) throw refuse("holds no rows");
  if (count > maxRows) throw refuse(`holds more than ${maxRows} rows`);
  const { data } = readNpyArray(bytes, refuse);
  const values = Float64Array.from(
    data as ArrayLike<number | bigint>,
    numberOf[datatype] ?? Number,
  );
  const fault = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (fault >= 0) {
    const value = values[fault];
    const [row, column] = [Math.floor(fault / columns), fault % columns];
    const what = Number.isNaN(value) ? "NaN" : `${value}, which is no finite 32-bit number,`;
    throw refuse(`has ${what} in row ${row}, column ${column} (counted from 0)`);
  }
  return { format: "npy", count, columns, header: null, values };
}

/** Of what is kept as bits, the number. */
const numberOf: Readonly<Record<string, (bits: number | bigint) => number>> = {
  FP16: (bits) => fromFloat16Bits(Number(bits)),
  BF16: (bits) => fromBfloat16Bits(Number(bits)),
};

import { isNpy } from "@/lib/common/npy";
import { readCsv } from "./read-csv";
import { readNpy } from "./read-npy";
import { invalidRows, type Table } from "./table";

/** Rows of real values, flattened row-major; `labels` where the file had a column of them beyond the inputs. */
export interface Rows {
  readonly count: number;
  readonly width: number;
  readonly values: Float32Array;
  readonly labels: Int32Array | null;
  /** Of each row, its place in the file it comes from, the first being 1. Left out: as they stand. */
  readonly numbers?: Int32Array;
  /** Where they come from, for the report: `test.csv`, `synthetic input`. */
  readonly source: string;
}

export interface ReadRows {
  readonly rows: Rows;
  /** What was understood of the file, as one line for people. */
  readonly understood: string;
}

/** Columns of these names hold labels, wherever they stand. */
const labelNames = new Set(["label", "class", "target"]);

/**
 * Reads a CSV or `.npy` file of feature rows: `width` numbers a row, and perhaps one more, the label. That is the column
 * called label, class or target, else the last one.
 *
 * @param width Elements of one input row.
 * @returns `labels` is null without a label column, or where labels are no whole numbers, as of a regression.
 * @throws {AppError} `ROWS_INVALID` naming the line and column at fault.
 */
export function readRows(bytes: Uint8Array, width: number, source: string): ReadRows {
  const table = isNpy(bytes) ? readNpy(bytes, source) : readCsv(bytes, source);
  const labelAt = labelColumn(table, width, source);
  const { count, columns } = table;
  const values = new Float32Array(count * width);
  const labels = labelAt === null ? null : new Int32Array(count);
  let isCounted = true;
  for (let row = 0; row < count; row++) {
    let at = row * width;
    for (let column = 0; column < columns; column++) {
      const value = table.values[row * columns + column] ?? 0;
      if (column !== labelAt) values[at++] = value;
      else if (Number.isInteger(value) && Math.abs(value) < 2 ** 31 && labels) labels[row] = value;
      else isCounted = false;
    }
  }
  const rows = { count, width, values, labels: isCounted ? labels : null, source };
  return { rows, understood: describe(table, rows, labelAt) };
}

function labelColumn(
  { columns, header, format }: Table,
  width: number,
  source: string,
): number | null {
  const named = (header ?? []).findIndex((name) => labelNames.has(name.toLowerCase()));
  if (columns === width + 1) return named >= 0 ? named : columns - 1;
  if (columns === width && named < 0) return null;
  const labels = named < 0 ? "" : `, of which “${header?.[named]}” holds labels,`;
  const line = format === "npy" ? "" : ` from line ${header ? 2 : 1} on`;
  throw invalidRows(
    source,
    `has ${columns} columns${labels} where the model takes ${width}${line}`,
    `Give ${width} columns of inputs, and one more for the label if there is one.`,
  );
}

function describe(
  { format, header, columns }: Table,
  { count, width, labels }: Rows,
  labelAt: number | null,
): string {
  const label =
    labelAt === null
      ? "no labels"
      : `${labels ? "labels" : "a measured value, which is left out,"} in ${
          header
            ? `column “${header[labelAt]}”`
            : labelAt === columns - 1
              ? "the last column"
              : `column ${labelAt + 1}`
        }`;
  const head = format === "CSV" ? (header ? ", with a header" : ", without a header") : "";
  return `${format}${head}: ${count} rows of ${width} inputs, ${label}.`;
}

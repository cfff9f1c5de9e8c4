import type { Rows } from "@/engines";
import { fail } from "@/lib/common/errors";

const maxRows = 200_000;

/**
 * Reads a CSV of feature rows: a header or none, `width` numbers a line, and perhaps one more, the label.
 *
 * @param width Elements of one input row.
 * @returns `labels` is null without a label column, or where labels are no whole numbers, as of a regression.
 * @throws {AppError} `ROWS_INVALID` naming the line and column at fault.
 */
export function parseRows(csv: string, width: number, source = "test.csv"): Rows {
  const lines = csv.replace(/^\uFEFF/, "").split(/\r?\n/);
  const numbered = lines.map((line, index) => ({ line, number: index + 1 }));
  const filled = numbered.filter(({ line }) => line.trim() !== "");
  const [first] = filled;
  if (first === undefined) throw invalid(source, "holds no rows");
  const hasHeader = cellsOf(first.line).some((cell) => cell !== "" && Number.isNaN(Number(cell)));
  const rows = hasHeader ? filled.slice(1) : filled;
  if (rows.length === 0) throw invalid(source, "holds no rows");
  if (rows.length > maxRows) throw invalid(source, `holds more than ${maxRows} rows`);

  const columns = cellsOf(first.line).length;
  if (columns !== width && columns !== width + 1) {
    throw invalid(source, `has ${columns} columns where the model takes ${width}`);
  }
  const values = new Float32Array(rows.length * width);
  const labels = new Int32Array(rows.length);
  let hasLabels = columns === width + 1;
  for (const [row, { line, number }] of rows.entries()) {
    const cells = cellsOf(line);
    if (cells.length !== columns) {
      throw invalid(source, `has ${cells.length} columns in line ${number}, ${columns} before`);
    }
    for (const [column, cell] of cells.entries()) {
      const value = numberOf(cell, { source, number, column });
      if (column < width) values[row * width + column] = value;
      else if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) labels[row] = value;
      else hasLabels = false;
    }
  }
  return { count: rows.length, width, values, labels: hasLabels ? labels : null, source };
}

function cellsOf(line: string): string[] {
  return line.split(",").map((cell) => cell.trim().replace(/^"([^"]*)"$/, "$1"));
}

function numberOf(
  cell: string,
  { source, number, column }: { source: string; number: number; column: number },
): number {
  const value = cell === "" ? NaN : Number(cell);
  if (Number.isFinite(Math.fround(value))) return value;
  const what = cell === "" ? "an empty cell" : "something that is no finite number";
  throw invalid(source, `has ${what} in line ${number}, column ${column + 1}`);
}

function invalid(source: string, what: string) {
  return fail("ROWS_INVALID", `The rows of ${source} cannot be used: the file ${what}.`, {
    hint: "Each line holds the model's inputs as numbers, then perhaps a label.",
  });
}

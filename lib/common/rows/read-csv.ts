import { invalidRows, maxRows, type Table } from "./table";

const separators = [",", ";", "\t"] as const;

/**
 * Reads lines of numbers, with a header or without, separated by commas, semicolons or tabs as the first line is.
 *
 * @throws {AppError} `ROWS_INVALID` naming the line, and the column, at fault.
 */
export function readCsv(bytes: Uint8Array, source: string): Table {
  const text = textOf(bytes, source);
  const lines = text.split(/\r\n|\n|\r/);
  const filled: number[] = [];
  for (const [at, line] of lines.entries()) if (line.trim() !== "") filled.push(at);
  const [first] = filled;
  if (first === undefined) throw invalidRows(source, "holds no rows");
  const firstLine = lines[first] ?? "";
  const separator = separators.find((each) => firstLine.includes(each)) ?? ",";
  const names = cellsOf(firstLine, separator);
  const hasHeader = names.some((cell) => cell !== "" && !isNumber(cell));
  const rows = hasHeader ? filled.slice(1) : filled;
  if (rows.length === 0) throw invalidRows(source, "holds no rows");
  if (rows.length > maxRows) throw invalidRows(source, `holds more than ${maxRows} rows`);

  const columns = names.length;
  const values = new Float64Array(rows.length * columns);
  for (const [row, at] of rows.entries()) {
    const cells = cellsOf(lines[at] ?? "", separator);
    if (cells.length !== columns) {
      const { length } = cells;
      const have = `${length} ${length === 1 ? "column" : "columns"}`;
      throw invalidRows(source, `has ${have} in line ${at + 1}, ${columns} before`);
    }
    for (const [column, cell] of cells.entries()) {
      const value = cell === "" ? Number.NaN : Number(cell);
      if (!Number.isFinite(Math.fround(value))) {
        throw invalidRows(source, `has ${faultOf(cell)} in line ${at + 1}, column ${column + 1}`);
      }
      values[row * columns + column] = value;
    }
  }
  return { format: "CSV", count: rows.length, columns, header: hasHeader ? names : null, values };
}

function textOf(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRows(
      source,
      "is neither text nor .npy",
      "Save a CSV as UTF-8, or an array with np.save.",
    );
  }
}

const isNumber = (cell: string) => !Number.isNaN(Number(cell)) || /^[+-]?(nan|inf)/i.test(cell);

const cellsOf = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) => cell.trim().replace(/^"([^"]*)"$/, "$1"));

function faultOf(cell: string): string {
  if (cell === "") return "an empty cell";
  const shown = cell.length > 24 ? `${cell.slice(0, 24)}…` : cell;
  if (/^[+-]?nan/i.test(cell)) return "NaN";
  return Number.isNaN(Number(cell)) && !/^[+-]?inf/i.test(cell)
    ? `the text “${shown}” instead of a number`
    : `${shown}, which is no finite 32-bit number,`;
}

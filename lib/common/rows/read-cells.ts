import { invalidRows } from "./table";

const separators = ["\t", ";", ","] as const;
/** What begins a cell that is a number, in any of the ways that spreadsheets write one. */
const numberLike = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i;
const word = /^[+-]?(nan|inf|infinity)$/i;

/** Cells of a table as they are written, no digit lost. */
export interface Cells {
  /** Names of the columns, where the first line has such. */
  readonly header: readonly string[] | null;
  /** Each as long as the first. */
  readonly rows: readonly (readonly string[])[];
  /** Line of the text at which each row begins, the first being 1. */
  readonly lines: readonly number[];
}

/**
 * Reads what a spreadsheet copies or exports: lines of cells between tabs, semicolons or commas, in quotes where need be. A
 * comma is the decimal sign wherever cells are separated by something else.
 *
 * @throws {AppError} `ROWS_INVALID` naming the line at fault.
 */
export function readCells(text: string, source: string): Cells {
  const separator = separatorOf(text);
  const records = recordsOf(text.replace(/^\ufeff/, ""), separator, source);
  const [first] = records;
  if (!first) throw invalidRows(source, "holds no rows");
  const width = first.cells.length;
  const uneven = records.find(({ cells }) => cells.length !== width);
  if (uneven) {
    const { length } = uneven.cells;
    const have = `${length} ${length === 1 ? "column" : "columns"}`;
    throw invalidRows(source, `has ${have} in line ${uneven.line}, ${width} before`);
  }
  const hasHeader = first.cells.some((cell) => cell !== "" && !isNumber(cell));
  const body = hasHeader && records.length > 1 ? records.slice(1) : records;
  const isText = hasHeader && records.length === 1;
  return {
    header: hasHeader && !isText ? first.cells : null,
    rows: body.map(({ cells }) =>
      separator === "," ? cells : cells.map((cell) => withPoint(cell)),
    ),
    lines: body.map(({ line }) => line),
  };
}

const isNumber = (cell: string) => numberLike.test(cell) || word.test(cell) || isTruth(cell);
const isTruth = (cell: string) => /^(true|false)$/i.test(cell);

/** `1,5` as `1.5`; everything else as it is. */
const withPoint = (cell: string): string => (numberLike.test(cell) ? cell.replace(",", ".") : cell);

function separatorOf(text: string): string {
  const [line = ""] = text.split(/\r\n|\n|\r/, 1);
  return separators.find((each) => line.includes(each)) ?? ",";
}

interface Cell {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Lines that are not empty, taken apart. A cell in quotes may hold separators, line ends and doubled quotes. */
function recordsOf(text: string, separator: string, source: string): Cell[] {
  const records: Cell[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  let at = 0;
  const close = () => {
    if (cells.length > 1 || cells[0] !== "") records.push({ cells, line: begun });
    cells = [];
  };
  while (at <= text.length) {
    const quoted = text[at] === '"' ? quotedCell(text, at) : null;
    if (text[at] === '"' && quoted === null) {
      throw invalidRows(source, `has a quote in line ${line} that is never closed`);
    }
    const end = quoted ? quoted.end : endOfCell(text, at, separator);
    const cell = quoted ? quoted.cell : text.slice(at, end).trim();
    cells.push(cell);
    if (quoted) line += text.slice(at, end).split("\n").length - 1;
    at = end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    close();
    if (at >= text.length) break;
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    line++;
    begun = line;
    if (at >= text.length) break;
  }
  return records;
}

function endOfCell(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

/** Null where the quote is never closed. What follows the closing quote up to the separator is dropped. */
function quotedCell(text: string, from: number): { cell: string; end: number } | null {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}

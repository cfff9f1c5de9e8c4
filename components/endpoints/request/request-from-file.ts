import type { Endpoint } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { isNpy, readNpyArray } from "@/lib/common/npy";
import { type Cells, readCells } from "@/lib/common/rows";
import { elementTexts } from "@/lib/common/tensor";
import { leavesOf } from "./check-request";
import { formatJson } from "./format-json";
import { type JsonNode, parseJsonTree } from "./json-tree";
import { type RequestGrid, withRows } from "./request-grid";
import { sampleGrid } from "./sample-text";

/** What the editor takes: more is for programs, by the snippets. */
export const editorLimits = { fileBytes: 16 << 20, values: 100_000 } as const;

/** The rows of a file as a request, and what was expected of each. */
export interface FileRequest {
  readonly text: string;
  /** Index of the expected class of each row; null: the file has no such column. */
  readonly labels: readonly (number | null)[] | null;
  /** Rows that were taken, and rows of the file. */
  readonly taken: number;
  readonly total: number;
}

type Described = Pick<Endpoint, "sample" | "inputs" | "features" | "labels" | "maxBatchSize">;
/** Columns of these names hold what is expected. */
const labelNames = new Set(["label", "class", "target"]);

/**
 * Reads a JSON, CSV or `.npy` file, told apart by its first bytes. A V2 request stays as it is written, faults and all, so that
 * it can be mended in the editor; rows are put into the endpoint's own inputs.
 *
 * @throws {AppError} `ROWS_INVALID` naming the place at fault, `BODY_TOO_LARGE`.
 */
export function requestFromFile(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  endpoint: Described,
): FileRequest {
  if (bytes.length > editorLimits.fileBytes) {
    throw fail("BODY_TOO_LARGE", `${name} has more than ${editorLimits.fileBytes >> 20} MiB.`, {
      hint: "Send files of that size by a program: the Code tab has one to begin with.",
    });
  }
  if (isNpy(bytes)) return fromTable(cellsOfNpy(bytes, name), endpoint, name);
  const text = textOf(bytes, name);
  const first = /^\ufeff?\s*([[{])/.exec(text)?.[1];
  if (first === undefined) return fromTable(readCells(text, name), endpoint, name);
  return fromJson(text.replace(/^\ufeff/, ""), endpoint, name);
}

/** The same of text that was pasted: what a spreadsheet copies, or JSON. */
export function requestFromText(text: string, endpoint: Described): FileRequest {
  return requestFromFile(
    { name: "The pasted text", bytes: new TextEncoder().encode(text) },
    endpoint,
  );
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse(name)(
      "is neither text nor .npy",
      "Save a CSV or JSON as UTF-8, or an array with np.save.",
    );
  }
}

const refuse =
  (name: string) =>
  (what: string, hint?: string): AppError =>
    fail("ROWS_INVALID", `The rows of ${name} cannot be used: the file ${what}.`, {
      hint: hint ?? "Each row holds the values of all inputs in order, then perhaps the class.",
    });

function cellsOfNpy(bytes: Uint8Array, name: string): Cells {
  const { datatype, shape, data } = readNpyArray(bytes, refuse(name));
  const texts = elementTexts({ name, datatype, shape, data });
  const [first = 1, ...rest] = shape;
  const width = rest.reduce((product, size) => product * size, 1);
  // One axis alone is one row.
  const [rows, columns] = shape.length < 2 ? [1, first] : [first, width];
  const lines = Array.from({ length: rows }, (_, row) =>
    texts.slice(row * columns, (row + 1) * columns),
  );
  return { header: null, rows: lines, lines: lines.map((_, row) => row + 1) };
}

function fromJson(text: string, endpoint: Described, name: string): FileRequest {
  const parsed = parseJsonTree(text);
  const asItIs = { text, labels: null, taken: 0, total: 0 };
  if ("fault" in parsed) return asItIs;
  const { root } = parsed;
  const list = listOf(root);
  if (!list) return { ...asItIs, text: formatJson(text) };
  const shown = (leaf: JsonNode) => {
    if (leaf.kind === "string") return leaf.text;
    return leaf.kind === "number" ? leaf.digits : text.slice(leaf.from, leaf.to);
  };
  const nested = list.every(({ kind }) => kind === "array")
    ? list
    : [{ ...root, kind: "array" as const, items: list }];
  const rows = nested.map((row) => leavesOf(row).map(shown));
  const [first = []] = rows;
  const uneven = rows.findIndex(({ length }) => length !== first.length);
  if (uneven >= 0) {
    throw refuse(name)(
      `has ${rows[uneven]?.length} values in row ${uneven + 1}, ${first.length} before`,
    );
  }
  return fromTable({ header: null, rows, lines: rows.map((_, at) => at + 1) }, endpoint, name);
}

/** The rows of a JSON document that is no V2 request: a list, or the `instances` of V1. */
function listOf(root: JsonNode): readonly JsonNode[] | null {
  if (root.kind === "array") return root.items;
  if (root.kind !== "object") return null;
  const instances = root.members.find(({ key }) => key === "instances")?.value;
  return instances?.kind === "array" ? instances.items : null;
}

function fromTable(cells: Cells, endpoint: Described, name: string): FileRequest {
  const grid = sampleGrid(endpoint);
  if (!grid) throw refuse(name)("cannot be put into the inputs of this endpoint");
  const width = grid.columns.length;
  const found = cells.header?.length ?? cells.rows[0]?.length ?? 0;
  const labelAt = labelColumn(cells, width, found);
  if (found - (labelAt === null ? 0 : 1) !== width) {
    throw refuse(name)(`has ${found} columns where the endpoint takes ${width} values a row`);
  }
  const order = orderOf(cells.header, grid, labelAt);
  const most = grid.isBatched ? Math.max(1, Math.floor(editorLimits.values / width)) : 1;
  const taken = cells.rows.slice(0, most);
  const rows = taken.map((row) => order.map((at) => row[at] ?? ""));
  const labels =
    labelAt === null ? null : taken.map((row) => labelOf(row[labelAt] ?? "", endpoint));
  return { text: withRows(grid, rows), labels, taken: rows.length, total: cells.rows.length };
}

function labelColumn({ header }: Cells, width: number, found: number): number | null {
  const named = (header ?? []).findIndex((each) => labelNames.has(each.toLowerCase()));
  if (found !== width + 1) return null;
  return named >= 0 ? named : found - 1;
}

/** Which column of a file goes where: by the names of its header where those are the features', else as they stand. */
function orderOf(
  header: readonly string[] | null,
  { columns }: RequestGrid,
  labelAt: number | null,
): number[] {
  const places = Array.from({ length: columns.length + (labelAt === null ? 0 : 1) }, (_, at) => at);
  const plain = places.filter((at) => at !== labelAt);
  const spoken = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const byName = columns.map(({ name, unit }) => {
    const wanted = [name, `${name} ${unit ?? ""}`].map(spoken);
    return (header ?? []).findIndex((each) => wanted.includes(spoken(each)));
  });
  return byName.every((at) => at >= 0) && new Set(byName).size === columns.length ? byName : plain;
}

/** A class by its index or by its name. */
function labelOf(text: string, { labels }: Described): number | null {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value)) return value;
  const at = labels?.indexOf(text.trim()) ?? -1;
  return at < 0 ? null : at;
}

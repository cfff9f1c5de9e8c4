import type { ArtifactIo } from "@/lib/common/contract";

/** Rows that are shown beside what the build gives. */
export const mostRows = 64;

/**
 * The JSON of a V2 request for what somebody typed: such a request itself, rows as JSON, or a row a line, its numbers apart by
 * commas or spaces. The numbers of a row are those of all inputs, one input after the other. Null: it is none of these.
 */
export function requestOf({ inputs }: Pick<ArtifactIo, "inputs">, text: string): string | null {
  const rows = readRows(text);
  if (rows === "request") return text;
  const size = inputs.reduce((sum, input) => sum + input.size, 0);
  if (rows === null || rows.length === 0 || rows.some((row) => row.length !== size)) return null;
  let at = 0;
  const tensors = inputs.map(({ name, datatype, shape, size: own }) => {
    const from = at;
    at += own;
    const data = rows.flatMap((row) => row.slice(from, from + own));
    return { name, datatype, shape: [rows.length, ...shape.slice(1)], data };
  });
  return JSON.stringify({ inputs: tensors });
}

function readRows(text: string): number[][] | "request" | null {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed))
    return toRows(
      trimmed.split("\n").map((line) =>
        line
          .trim()
          .split(/[\s,;]+/)
          .map(Number),
      ),
    );
  try {
    const value: unknown = JSON.parse(trimmed);
    if (!Array.isArray(value)) return "request";
    return toRows(value.every(Array.isArray) ? value.map((row) => row.flat(10)) : [value]);
  } catch {
    return null;
  }
}

const toRows = (rows: unknown[][]): number[][] | null =>
  rows.every((row) => row.every((value) => typeof value === "number" && Number.isFinite(value)))
    ? (rows as number[][])
    : null;

/** A row in the middle of what a firmware was built for, to begin with. */
export function firstRow({ inputs }: Pick<ArtifactIo, "inputs">): string {
  const values = inputs.flatMap(({ size, standardise }) =>
    Array.from({ length: size }, (_, index) => {
      const mean = standardise?.mean[index % standardise.mean.length] ?? 0;
      return Number(mean.toPrecision(4));
    }),
  );
  return values.join(", ");
}

import { type AppError, fail } from "@/lib/common/errors";

/** Numbers of a file before it is known which of them are inputs and which are labels. */
export interface Table {
  readonly format: "CSV" | "npy";
  readonly count: number;
  readonly columns: number;
  /** Names of the columns, where the file has any. */
  readonly header: readonly string[] | null;
  /** `count × columns`, row-major. */
  readonly values: Float64Array;
}

/** The largest file of rows that is taken. */
export const maxRowsBytes = 64 << 20;
/** More change no range and no percentage that anybody reads. */
export const maxRows = 200_000;

/** @param what Goes on where "the file" ends: `has no rows`. */
export function invalidRows(source: string, what: string, hint?: string): AppError {
  return fail("ROWS_INVALID", `The rows of ${source} cannot be used: the file ${what}.`, {
    field: "calibration.url",
    hint: hint ?? "Each line holds the model's inputs as numbers, then perhaps a label.",
  });
}

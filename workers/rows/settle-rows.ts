import type { ModelCard } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { rowWidth } from "@/lib/common/tensor";
import { type RowInput, takesRows } from "./feeds";
import { readInThread } from "./read-in-thread";
import { type SplitRows, splitInTwo, splitRows } from "./split-rows";

/** The files of rows that go with a model. */
export interface RowFiles {
  readonly card: ModelCard | null;
  /** `test.csv` beside the model. */
  readonly beside: Uint8Array | null;
  /** What somebody gave to calibrate with. */
  readonly given: { readonly bytes: Uint8Array; readonly source: string } | null;
}

export interface SettleOptions {
  readonly signal: AbortSignal;
  readonly say: (text: string, level?: "info" | "warning") => void;
}

const noRows: SplitRows = { calibration: null, heldBack: null };

/**
 * Settles which rows calibrate and which measure. Rows that were given calibrate, and those beside the model measure;
 * with only one of both files, every second row does either.
 *
 * @throws {AppError} `ROWS_INVALID` for rows that were given; what lies beside a model need not be about it.
 */
export async function settleRows(
  { inputs }: { readonly inputs: readonly RowInput[] },
  { card, beside, given }: RowFiles,
  { signal, say }: SettleOptions,
): Promise<SplitRows> {
  const isReal = inputs.length > 0 && inputs.every(({ datatype }) => datatype.startsWith("FP"));
  if (given && !isReal) {
    throw fail("ROWS_INVALID", "Rows can only be given to a model whose inputs are all reals.", {
      field: "calibration.url",
      hint: "Leave the rows out.",
    });
  }
  if (inputs.length === 0) return noRows;
  const width = rowWidth(inputs);
  const read = (bytes: Uint8Array, source: string) =>
    readInThread({ bytes, width, source }, { signal });
  const tests = await readBeside();
  if (!given) return tests ? splitRows(tests, card) : noRows;
  const { rows, understood } = await read(given.bytes, given.source);
  say(`${given.source} is ${understood}`);
  return tests ? { calibration: rows, heldBack: tests } : splitInTwo(rows);

  async function readBeside(): Promise<Rows | null> {
    if (beside === null) return null;
    try {
      const { rows } = await read(beside, "test.csv");
      return takesRows(inputs, rows) ? rows : null;
    } catch (error) {
      if (!isAppError(error) || error.reason !== "ROWS_INVALID") throw error;
      say(`${error.message} Going on without them.`, "warning");
      return null;
    }
  }
}

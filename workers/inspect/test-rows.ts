import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InspectionRequest, TestRows } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { maxRowsBytes, type Rows } from "@/lib/common/rows";
import { float32Text } from "@/lib/common/tensor";
import { type FetchOptions, fetchCompanions, fetchSource } from "../fetch";
import { readInThread } from "../rows";

type Wanted = Extract<InspectionRequest, { kind: "test-rows" }> & { readonly url: string };
type Fetching = Omit<FetchOptions, "path"> & { readonly folder: string };

const limitMs = 60_000;

/**
 * Reads some of the rows that a model is tested with: of `test.csv` beside it, else of those that were given to calibrate.
 *
 * @throws {AppError} `ROWS_MISSING` where there are none; `ROWS_INVALID`, and what fetching throws.
 */
export async function readTestRows(wanted: Wanted, fetching: Fetching): Promise<TestRows> {
  const { folder: _, ...options } = fetching;
  const beside = await fetchCompanions(wanted.url, options);
  if (beside.rows) return partOf(await read(beside.rows, "test.csv", wanted, fetching), wanted);
  const { calibration } = wanted;
  if (!calibration) {
    throw fail("ROWS_MISSING", "No test rows are known for this model.", {
      hint: "Put a test.csv beside the model file: its columns are the inputs, the last one may be the class.",
    });
  }
  const { url, name = "the given file" } = calibration;
  const path = join(fetching.folder, "rows");
  await fetchSource(url, { ...options, path, limitBytes: maxRowsBytes });
  const rows = await read(await readFile(path), name, wanted, fetching);
  return { ...partOf(rows, wanted), calibrated: true };
}

async function read(
  bytes: Uint8Array,
  source: string,
  { width }: Wanted,
  { signal }: Fetching,
): Promise<Rows> {
  const { rows } = await readInThread(
    { bytes, width, source },
    { signal: signal ?? undefined, timeoutMs: limitMs },
  );
  return rows;
}

function partOf(
  { count: total, width, values, labels, source }: Rows,
  { first, count }: Wanted,
): TestRows {
  const last = Math.min(total, first - 1 + count);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => {
    const row = first - 1 + at;
    return {
      row: row + 1,
      values: Array.from(values.subarray(row * width, (row + 1) * width), (value) =>
        Number(float32Text(value)),
      ),
      label: labels?.[row] ?? null,
    };
  });
  return { source, calibrated: false, total, rows };
}

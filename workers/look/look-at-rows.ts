import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { rowsFoundSchema } from "@/lib/common/contract";
import { maxRowsBytes, type ReadRows } from "@/lib/common/rows";
import { runThread } from "@/lib/server/process";
import type { ReadRowsTask } from "../build/stages/read-rows.thread";
import { type FetchOptions, fetchSource } from "../fetch";

/**
 * Reads a file of rows, for a model of so many inputs.
 *
 * @throws {AppError} `ROWS_INVALID` naming the line at fault, and what `fetchSource` throws.
 */
export async function lookAtRows(
  { url, width, name }: { readonly url: string; readonly width: number; readonly name: string },
  { folder, ...options }: Omit<FetchOptions, "path"> & { readonly folder: string },
): Promise<z.infer<typeof rowsFoundSchema>> {
  const path = join(folder, "rows");
  await fetchSource(url, { ...options, path, limitBytes: maxRowsBytes });
  const task: ReadRowsTask = { bytes: await readFile(path), width, source: name };
  const { rows, understood } = await runThread<ReadRows>(
    "workers/build/stages/read-rows.thread",
    task,
    { signal: options.signal, timeoutMs: 60_000 },
  );
  return { rows: rows.count, labelled: rows.labels !== null, understood };
}

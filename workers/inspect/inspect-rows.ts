import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { rowsFoundSchema } from "@/lib/common/contract";
import { maxRowsBytes } from "@/lib/common/rows";
import { type FetchOptions, fetchSource } from "../fetch";
import { readInThread } from "../rows";

/**
 * Reads a file of rows, for a model of so many inputs.
 *
 * @throws {AppError} `ROWS_INVALID` naming the line at fault, and what `fetchSource` throws.
 */
export async function inspectRows(
  { url, width, name }: { readonly url: string; readonly width: number; readonly name: string },
  { folder, ...options }: Omit<FetchOptions, "path"> & { readonly folder: string },
): Promise<z.infer<typeof rowsFoundSchema>> {
  const path = join(folder, "rows");
  await fetchSource(url, { ...options, path, limitBytes: maxRowsBytes });
  const { rows, understood } = await readInThread(
    { bytes: await readFile(path), width, source: name },
    { signal: options.signal, timeoutMs: 60_000 },
  );
  return { rows: rows.count, labelled: rows.labels !== null, understood };
}

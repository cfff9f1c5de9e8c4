import type { ReadRows } from "@/lib/common/rows";
import { runThread } from "@/lib/server/process";
import type { ReadRowsTask } from "./read-rows.thread";

/**
 * Reads a file of rows in a thread of its own.
 *
 * @throws {AppError} `ROWS_INVALID` naming the line at fault.
 */
export function readInThread(
  task: ReadRowsTask,
  options: { readonly signal: AbortSignal | undefined; readonly timeoutMs?: number },
): Promise<ReadRows> {
  return runThread<ReadRows>("workers/rows/read-rows.thread", task, options);
}

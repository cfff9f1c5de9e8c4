import { noteModel } from "@/domain/models";
import type { Inspection } from "@/lib/common/contract";
import { isAppError, toErrorData } from "@/lib/common/errors";
import { insist } from "../attempt";
import type { AttemptContext } from "./attempt-context";

/** Faults that say nothing of the bytes. */
const passing: ReadonlySet<string> = new Set([
  "CANCELLED",
  "LEASE_LOST",
  "BUILD_TIMED_OUT",
  "INTERNAL",
]);

/**
 * Keeps what reading a model told, so that its page can show it; or why it could not be read.
 *
 * @throws What `read` throws.
 */
export async function readAndNote<T extends { readonly inspection: Inspection }>(
  { projectId, signal }: AttemptContext,
  met: { readonly url: string; readonly digest: string; readonly sizeBytes: number },
  read: () => Promise<T>,
): Promise<T> {
  try {
    const found = await read();
    const { inspection } = found;
    await insist(signal, () => noteModel(projectId, { ...met, inspection, problem: null }));
    return found;
  } catch (error) {
    if (isAppError(error) && !passing.has(error.reason) && !signal.aborted) {
      const problem = toErrorData(error);
      await insist(signal, () => noteModel(projectId, { ...met, inspection: null, problem }));
    }
    throw error;
  }
}

import { requestInspection, waitForInspection } from "@/domain/models";
import type { InspectionRequest, Scope } from "@/lib/common/contract";
import { fromErrorData } from "@/lib/common/errors";
import { timedOut } from "./inspect";

const waitMs = 60_000;

/**
 * Has a worker look at a model file or at what lies beside it, and waits for what it finds.
 *
 * @returns Unparsed.
 * @throws {AppError} what the worker met; `INSPECTION_TIMED_OUT`.
 */
export async function askWorker(
  scope: Scope,
  asked: { readonly url: string; readonly request: InspectionRequest },
  signal: AbortSignal,
): Promise<unknown> {
  const { id } = await requestInspection(scope, asked);
  const { problem, result } = await waitForInspection(scope, id, { timeoutMs: waitMs, signal });
  if (problem) throw fromErrorData(problem);
  if (result === undefined) throw timedOut();
  return result;
}

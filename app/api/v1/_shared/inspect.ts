import { type InspectionState, requestInspection, waitForInspection } from "@/domain/models";
import { type Inspection, inspectionSchema, type Scope } from "@/lib/common/contract";
import { fail, fromErrorData } from "@/lib/common/errors";

/** Has a worker inspect a URL. Answers the state after at most `timeoutMs`. */
export async function inspect(
  scope: Scope,
  url: string,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<InspectionState> {
  const { id } = await requestInspection(scope, { url });
  return await waitForInspection(scope, id, options);
}

/** What was found, or null while nobody knows. @throws {AppError} What the worker met. */
export function resultOf({ result, problem }: InspectionState): Inspection | null {
  if (problem) throw fromErrorData(problem);
  return result === undefined ? null : inspectionSchema.parse(result);
}

export function timedOut() {
  return fail("INSPECTION_TIMED_OUT", "No worker has inspected this model in time.", {
    hint: "See whether a build worker runs: npm run doctor.",
  });
}

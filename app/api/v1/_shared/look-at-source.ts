import { noteLook, noteModel } from "@/domain/models";
import { digestSchema, type Inspection, type Scope, type SourceLook } from "@/lib/common/contract";
import { fail, toAppError, toErrorData } from "@/lib/common/errors";
import { inspect, resultOf, timedOut } from "./inspect";

/** A source may be slow; whoever asked has pressed a button and waits. */
const lookMs = 60_000;

/**
 * Has a worker read the model at an address, and keeps what was found as the newest version of that address.
 *
 * @throws {AppError} What the worker met; `INSPECTION_TIMED_OUT`
 */
export async function lookAtSource(
  scope: Scope,
  { url, known, signal }: { url: string; known: KnownVersion | null; signal: AbortSignal },
): Promise<SourceLook> {
  const at = new Date().toISOString();
  const note = async (digest: string | null, problem: unknown) => {
    if (known) await noteLook(scope, known.id, { at, digest, problem: problemOf(problem) });
  };
  const inspection = await read(scope, url, signal).catch(async (error: unknown) => {
    const problem = toErrorData(toAppError(error));
    const given = digestSchema.safeParse(problem.details?.["digest"]).data ?? null;
    // What cannot be read is a version all the same, where one was read before.
    if (known && given)
      await noteModel(scope, { url, digest: given, sizeBytes: null, inspection: null, problem });
    await note(given, error);
    throw error;
  });
  const { digest, sizeBytes } = inspection;
  const id = await noteModel(scope, { url, digest, sizeBytes, inspection, problem: null });
  await note(digest, null);
  if (id === null) throw fail("MODEL_ROW_UNKNOWN", "This model was deleted meanwhile.");
  return { id, digest, changed: known !== null && known.digest !== digest };
}

interface KnownVersion {
  readonly id: string;
  readonly digest: string;
}

async function read(scope: Scope, url: string, signal: AbortSignal): Promise<Inspection> {
  const found = resultOf(await inspect(scope, url, { timeoutMs: lookMs, signal }));
  if (!found) throw timedOut();
  return found;
}

function problemOf(error: unknown) {
  if (error === null) return null;
  const { reason, message, hint, details } = toErrorData(toAppError(error));
  return { reason, message, ...(hint ? { hint } : {}), ...(details ? { details } : {}) };
}

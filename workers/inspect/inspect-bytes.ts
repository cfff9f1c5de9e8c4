import type { Inspection, ModelCard } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { runThread } from "@/lib/server/process";
import type { InspectTask } from "./inspect.thread";
import type { Inspected } from "./inspect-model";

export interface InspectOptions {
  readonly card?: ModelCard | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Longest look at one file. The largest archive that may expand to its limit takes a third of it. */
const defaultTimeoutMs = 60_000;
const memoryMb = 1536;

/**
 * Inspects a model file in a thread of its own, which ends with it.
 *
 * @throws {AppError} with the reason why the file cannot be taken; `INSPECTION_TIMED_OUT`, `MODEL_TOO_COMPLEX`.
 */
export async function inspectBytes(
  bytes: Uint8Array,
  options: InspectOptions = {},
): Promise<Inspection> {
  return (await run(bytes, options, false)).inspection;
}

/** The same, with the model as engines plan from it. */
export function inspectAndRead(
  bytes: Uint8Array,
  options: InspectOptions = {},
): Promise<Inspected> {
  return run(bytes, options, true);
}

async function run(
  bytes: Uint8Array,
  { card = null, signal, timeoutMs = defaultTimeoutMs }: InspectOptions,
  withGraph: boolean,
): Promise<Inspected> {
  const task: InspectTask = { bytes, card, withGraph };
  try {
    return await runThread<Inspected>("workers/inspect/inspect.thread", task, {
      signal,
      timeoutMs,
      memoryMb,
    });
  } catch (error) {
    if (isAppError(error) && error.reason === "DEADLINE_EXCEEDED") {
      const seconds = Math.round(timeoutMs / 1000);
      throw fail("INSPECTION_TIMED_OUT", `Looking at the model took over ${seconds} s.`);
    }
    if (isAppError(error) && error.reason === "TOOL_MEMORY") {
      throw fail("MODEL_TOO_COMPLEX", "The model needs more memory to be read than is allowed.");
    }
    throw error;
  }
}

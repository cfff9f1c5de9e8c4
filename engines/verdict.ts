import { type AppError, isAppError, toErrorData } from "@/lib/common/errors";
import type { Verdict } from "./engine";

/** Runs a check that throws what is wrong, and answers with it. Faults of our own still throw. */
export function verdictOf(check: () => unknown): Verdict {
  try {
    check();
    return { ok: true };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return refused(error);
  }
}

/** The verdict of an engine that cannot take a model or board, with the reason in the error. */
export function refused(error: AppError): Verdict {
  return { ok: false, problem: toErrorData(error) };
}

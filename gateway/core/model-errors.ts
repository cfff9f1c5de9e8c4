import { type AppError, fail, isAppError } from "@/lib/common/errors";

/** The words of section 4 of the protocol that clients' tests look for. */
export function unknownModel(name: string): AppError {
  return fail("MODEL_NOT_FOUND", `Request for unknown model: '${name}' is not found`);
}

/** `MODEL_NOT_FOUND` for a version that the model does not have, with those that it has. */
export function unknownVersion(name: string, version: string, known: readonly string[]): AppError {
  const available = known.length === 0 ? "none" : known.join(", ");
  return fail(
    "MODEL_NOT_FOUND",
    `Request for unknown model: '${name}' version ${version} is not found; available versions: ${available}`,
  );
}

/** `MODEL_NOT_READY`. @param why In words for callers, as what follows a colon. */
export function notReady(name: string, why: string): AppError {
  return fail("MODEL_NOT_READY", `Model '${name}' is not ready: ${why}`);
}

/** Whether a request failed before any board had it: another one may take it. */
export const neverBegan = (error: unknown): boolean =>
  isAppError(error) && error.reason === "MODEL_NOT_READY";

/** Its boards are all silent. */
export function unreachable(name: string): AppError {
  return notReady(name, "no board that serves it can be reached");
}

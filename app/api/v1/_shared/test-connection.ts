import type { StoredConnection, TestOutcome } from "@/domain/connections";
import { dropInspection, requestInspection, waitForInspection } from "@/domain/models";
import { prefixesOf } from "@/domain/sources";
import { connectionTestAnswerSchema, type Scope } from "@/lib/common/contract";
import { AppError, fail, reasons } from "@/lib/common/errors";

/** A worker takes ten seconds at most, and may be busy for a moment. */
const waitMs = 14_000;

/**
 * Has a build worker try a connection: it alone opens secrets, and it is the one that has to get there.
 *
 * @throws {AppError} `CONNECTION_UNTESTED` where no worker answers.
 */
export async function tryConnection(
  scope: Scope,
  { id, leads, secret }: StoredConnection,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const [url = ""] = prefixesOf(leads);
  const request = { kind: "connection", id, connection: leads, secret } as const;
  const inspection = await requestInspection(scope, { url, request });
  try {
    const { result, problem } = await waitForInspection(scope, inspection.id, {
      timeoutMs: waitMs,
      signal,
    });
    if (problem) {
      const { message, hint, reason } = problem;
      return { said: hint === undefined ? message : `${message} ${hint}`, reason };
    }
    if (result === undefined)
      throw fail("CONNECTION_UNTESTED", "No build worker tried this connection in time.", {
        hint: "See whether one runs (npm run doctor), or keep the connection untested.",
        details: { untested: true },
      });
    return { said: connectionTestAnswerSchema.parse(result).said, reason: null };
  } finally {
    await dropInspection(scope, inspection.id);
  }
}

/** As `tryConnection`, for who keeps only what passes. @throws {AppError} Why it failed, with the reason of the test. */
export async function requirePassing(
  scope: Scope,
  connection: StoredConnection,
  signal: AbortSignal,
): Promise<TestOutcome> {
  const outcome = await tryConnection(scope, connection, signal);
  if (outcome.reason === null) return outcome;
  const reason = outcome.reason in reasons ? (outcome.reason as keyof typeof reasons) : "INTERNAL";
  throw new AppError(reasons[reason].code, `The test failed: ${outcome.said}`, {
    reason,
    hint: "Correct it, or keep the connection untested (“untested”: true).",
    details: { untested: true },
  });
}

import type { ErrorCode } from "./codes";
import type { Reason } from "./reasons";

/** What passes by itself, or may. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unknown",
  "internal",
  "unavailable",
  "deadline_exceeded",
  "aborted",
  "data_loss",
  "cancelled",
]);

/** Those that others may have put right meanwhile, and that may be had once something else has ended. */
const mended: ReadonlySet<Reason> = new Set<Reason>([
  "SOURCE_NOT_FOUND",
  "SOURCE_LOGIN_REFUSED",
  "SOURCE_ACCESS_DENIED",
  "TOOL_MISSING",
  "SANDBOX_UNAVAILABLE",
  "NO_SPACE",
  "RATE_LIMITED",
  "QUOTA_EXCEEDED",
  "MEMORY_FULL",
  "DEVICE_MISMATCH",
]);

/** Those that come out the same however often they are asked for: the bytes, the tools and the request are the same. */
const settled: ReadonlySet<Reason> = new Set<Reason>([
  "VERIFICATION_FAILED",
  "IMPORT_MISMATCH",
  "SOURCE_DIGEST_MISMATCH",
]);

/** Whether asking for the very same again can come out otherwise. Where it cannot, nobody is offered to. */
export function canRetry({
  code,
  reason,
}: {
  readonly code: ErrorCode;
  readonly reason: Reason;
}): boolean {
  return mended.has(reason) || (passing.has(code) && !settled.has(reason));
}

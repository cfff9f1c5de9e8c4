import { type AppError, fail, isAppError } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";

/** SQLSTATE classes and codes after which the same call may well succeed: the server is away, starting, full or stopping. */
const unavailableStates = /^(08...|53...|57P0[1-5]|58...|25006)$/;
const unavailableKinds = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
]);
const unavailableCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "P1001",
  "P1002",
  "P1017",
  "P2024",
  "P2028",
]);
const unavailableTexts =
  /timeout exceeded when trying to connect|Connection terminated|connection is closed|Client has encountered a connection error|Cannot use a pool after/i;

interface Signs {
  readonly codes: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  readonly text: string;
}

/** Collects the codes of an error and of what it wraps: Prisma, its adapter and the driver each put them elsewhere. */
function signsOf(error: unknown): Signs {
  const codes = new Set<string>();
  const kinds = new Set<string>();
  const texts: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (!isRecord(value) || depth > 5) return;
    const { code, originalCode, kind, cause, meta, driverAdapterError } = value;
    const { message, originalMessage } = value;
    for (const each of [code, originalCode]) if (typeof each === "string") codes.add(each);
    if (typeof kind === "string") kinds.add(kind);
    for (const each of [message, originalMessage]) if (typeof each === "string") texts.push(each);
    visit(cause, depth + 1);
    visit(meta, depth + 1);
    visit(driverAdapterError, depth + 1);
  };
  visit(error, 0);
  return { codes, kinds, text: texts.join("\n") };
}

/** A serialization failure or deadlock: the same transaction, run again, may succeed. */
export function isRetryable(error: unknown): boolean {
  const { codes, kinds } = signsOf(error);
  return (
    codes.has("40001") ||
    codes.has("40P01") ||
    codes.has("P2034") ||
    kinds.has("TransactionWriteConflict")
  );
}

/** A statement or a lock that took too long. */
const lateStates = ["57014", "55P03"];

/** Whether the same call may well succeed later: the store is away, or others were in its way. */
export function isPassing(error: unknown): boolean {
  const { codes } = signsOf(error);
  return isStoreAway(error) || isRetryable(error) || lateStates.some((state) => codes.has(state));
}

/** The code that Postgres gave to an error, such as `22P05`; null where it gave none. */
export function sqlStateOf(error: unknown): string | null {
  return (
    [...signsOf(error).codes].find(
      (code) => /^[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code),
    ) ?? null
  );
}

/** Whether Postgres is away, starting, stopping, or out of connections or disk. */
function isStoreAway(error: unknown): boolean {
  if (isAppError(error)) return error.reason === "STORE_UNAVAILABLE";
  const { codes, kinds, text } = signsOf(error);
  return (
    [...codes].some((code) => unavailableCodes.has(code) || unavailableStates.test(code)) ||
    [...kinds].some((kind) => unavailableKinds.has(kind)) ||
    unavailableTexts.test(text)
  );
}

/** What a caller may see of a failed query: ours as it is, an absent store as `STORE_UNAVAILABLE`, anything else untouched. */
export function toStoreError(error: unknown): unknown {
  if (isAppError(error) || !isStoreAway(error)) return error;
  return storeUnavailable(error);
}

function storeUnavailable(cause: unknown): AppError {
  return fail("STORE_UNAVAILABLE", "The database cannot be reached just now.", {
    hint: "Try again in a few seconds; a request with an idempotency key is never done twice.",
    cause,
  });
}

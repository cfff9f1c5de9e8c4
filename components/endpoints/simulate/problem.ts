import { type ErrorData, fromErrorData, type Reason, toErrorData } from "@/lib/common/errors";

/** What can go wrong in the page itself, by the key of its words in the catalogue, and the reason of each. */
const problems = {
  unreachable: "STORE_UNAVAILABLE",
  brokenOff: "STORE_UNAVAILABLE",
  refused: "STORE_UNAVAILABLE",
  missing: "ARTIFACT_MISSING",
  otherDigest: "ARTIFACT_MISMATCH",
  otherManifest: "ARTIFACT_MISMATCH",
  otherVectors: "ARTIFACT_MISMATCH",
  uncheckable: "ARTIFACT_MISMATCH",
  noRow: "INFER_INVALID",
  noAnswer: "LINK_FAILED",
  noWebAssembly: "WEBASSEMBLY_UNAVAILABLE",
  notStarted: "INTERNAL",
} as const satisfies Record<string, Reason>;
type ProblemKey = keyof typeof problems;

/** What the words of a problem take in. */
export interface ProblemValues {
  /** Of the file that it is about. */
  readonly role?: string;
  /** What the portal said. */
  readonly said?: string;
  readonly cycles?: number;
}

/** An error that the page finds itself. It has no words: a worker knows no language, `problemInWords` does. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly key: ProblemKey;
  readonly reason: Reason;
  readonly values: ProblemValues;

  constructor(key: ProblemKey, values: ProblemValues = {}, cause?: unknown) {
    super(key, cause === undefined ? undefined : { cause });
    this.key = key;
    this.reason = problems[key];
    this.values = values;
  }
}

/** An error of the worker as plain data. */
export type ProblemData =
  | { readonly key: ProblemKey; readonly values: ProblemValues }
  | { readonly error: ErrorData };

/** Anything thrown as plain data, to be sent to the page. */
export const toProblemData = (thrown: unknown): ProblemData =>
  thrown instanceof Problem
    ? { key: thrown.key, values: thrown.values }
    : { error: toErrorData(thrown) };

/** The error that `toProblemData` took apart. */
export const fromProblemData = (data: ProblemData): Error =>
  "error" in data ? fromErrorData(data.error) : new Problem(data.key, data.values);

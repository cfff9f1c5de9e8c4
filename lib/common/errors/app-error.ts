import { cutText } from "@/lib/common/text";
import { categoryWords, causeCategory } from "./cause-category";
import { type ErrorCode, errorCodes } from "./codes";
import { type Reason, reasons } from "./reasons";

/** What an error says besides its code and message. */
export interface AppErrorOptions {
  readonly reason: Reason;
  /** What the reader can do next, as one sentence. */
  readonly hint?: string;
  /** The form field or body path at fault, such as `model.url`. */
  readonly field?: string;
  /** Facts for programs: plain JSON, no secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of an error that a server answered: the request it belongs to in the server's log. */
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** Names that come from outside may be of any length; a message is read by people. */
const longestMessage = 2000;

/** The one error type that crosses module edges. Only an edge turns it into a status or text. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly hint: string | undefined;
  readonly field: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions) {
    super(bounded(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
    this.hint = options.hint;
    this.field = options.field;
    this.details = options.details;
    this.requestId = options.requestId;
  }
}

const bounded = (message: string): string =>
  message.length <= longestMessage ? message : `${cutText(message, longestMessage - 1)}…`;

/** Recognises our error by name, since bundles can hold two copies of the class. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === "AppError" && "reason" in error;
}

/** Makes an error of the reason's own code: the short form of the constructor. */
export function fail(
  reason: Reason,
  message: string,
  options: Omit<AppErrorOptions, "reason"> = {},
): AppError {
  return new AppError(reasons[reason].code, message, { ...options, reason });
}

/** Turns anything thrown into an AppError; what is unknown becomes `internal` and shows nothing of its cause. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const category = causeCategory(error);
  return new AppError(
    "internal",
    `Boardwalk met an unexpected error: ${categoryWords[category]}.`,
    {
      reason: "INTERNAL",
      hint: "Try again. If it comes back, report it with its request id: the server's log has the cause under it.",
      details: { category },
      cause: error,
    },
  );
}

/** HTTP status of an error: the reason's own, else its code's default. */
export function httpStatusOf(error: Pick<AppError, "code" | "reason">): number {
  const entry: { readonly http?: number } | undefined = reasons[error.reason];
  return entry?.http ?? errorCodes[error.code].http;
}

/** An error as plain data that survives a thread, a job row or a wire. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly reason: Reason;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Anything thrown as plain data; what is unknown becomes `internal`, as `toAppError` has it. Stack and cause stay
 * behind.
 */
export function toErrorData(error: unknown): ErrorData {
  const { code, reason, message, hint, field, details } = toAppError(error);
  return {
    code,
    reason,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}

/** The error that `toErrorData` took apart, to be thrown on this side. */
export function fromErrorData(data: ErrorData): AppError {
  const { code, message, reason, hint, field, details } = data;
  return new AppError(code, message, {
    reason,
    ...(hint === undefined ? {} : { hint }),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  });
}

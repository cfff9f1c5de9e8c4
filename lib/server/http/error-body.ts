import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { ErrorBody } from "@/lib/common/contract";
import { type AppError, httpStatusOf } from "@/lib/common/errors";

/** Seconds after which asking again makes sense, by reason; an error may know better. */
const retryAfterS: Readonly<Record<string, number>> = {
  IDEMPOTENCY_IN_FLIGHT: 1,
  STORE_UNAVAILABLE: 2,
  RATE_LIMITED: 5,
  QUOTA_EXCEEDED: 30,
  UPSTREAM_RESET: 1,
};

/** The error body of `/api/v1`. Nothing of the cause is in it. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { code, reason, message, hint, field, details } = error;
  return {
    error: {
      code,
      reason,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(field === undefined ? {} : { field }),
      help: `/errors/${reason}`,
      requestId,
      ...(details === undefined ? {} : { details: { ...details } }),
    },
  };
}

/** Headers that an error's status asks for: `retry-after`, `allow`. */
export function errorHeaders({ reason, details }: AppError): Record<string, string> {
  const seconds = details?.["retryAfterS"] ?? retryAfterS[reason];
  const allow = reason === "METHOD_NOT_ALLOWED" ? details?.["allow"] : undefined;
  return {
    ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
    ...(allow === undefined ? {} : { allow: String(allow) }),
  };
}

/** Answers an error from a plain Node server, and closes a connection whose body nobody will read. */
export function sendError(response: ServerResponse, error: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  response.writeHead(httpStatusOf(error), {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store, private",
    "x-request-id": requestId,
    connection: "close",
    ...errorHeaders(error),
  });
  response.end(body);
}

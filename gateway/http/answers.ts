import type { IncomingMessage, ServerResponse } from "node:http";
import { type AppError, httpStatusOf, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

/** What a request is answered with, before it is written anywhere. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array;
}

/** An answer in JSON. The content type is exact: some clients show error texts only then. */
function jsonAnswer(status: number, value: unknown, headers: Answer["headers"] = {}): Answer {
  const body = JSON.stringify(value);
  return {
    status,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
    body,
  };
}

/** Sends JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Answer["headers"] = {},
): void {
  sendAnswer(response, jsonAnswer(status, body, headers));
}

export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** What an error's answer holds besides the error. */
export interface ErrorExtras {
  readonly requestId: string;
  /** Further members of the body, such as `ready: false`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Answer["headers"];
}

/** The error that was thrown, and `{"error": text, …}` for its caller. */
export function errorAnswer(
  thrown: unknown,
  { requestId, body = {}, headers = {} }: ErrorExtras,
): { readonly error: AppError; readonly answer: Answer } {
  const error = toAppError(thrown);
  if (error.code === "internal") logger().error({ err: thrown, requestId }, "request failed");
  const text = error.message.replace(/\s+/g, " ");
  const answer = jsonAnswer(
    httpStatusOf(error),
    { error: text, code: error.reason, request_id: requestId, ...body },
    { ...headers, ...extraHeaders(error) },
  );
  return { error, answer };
}

/** Answers an error, and closes the connection where the body was not read to its end. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  extras: ErrorExtras,
): AppError {
  const { error, answer } = errorAnswer(thrown, extras);
  if (response.headersSent || response.destroyed) return error;
  const headers = { ...answer.headers, ...(request.complete ? {} : { connection: "close" }) };
  sendAnswer(response, { ...answer, headers });
  return error;
}

function extraHeaders({ reason, details }: AppError): Answer["headers"] {
  if (reason === "METHOD_NOT_ALLOWED") return { allow: String(details?.["allow"]) };
  if (reason === "UNAUTHENTICATED") return { "www-authenticate": "Bearer" };
  if (
    reason === "QUEUE_FULL" ||
    reason === "UPSTREAM_RESET" ||
    reason === "RATE_LIMITED" ||
    reason === "MEMORY_FULL"
  )
    return { "retry-after": "1" };
  if (reason === "ENCODING_UNSUPPORTED") return { "accept-encoding": "gzip, deflate" };
  return {};
}

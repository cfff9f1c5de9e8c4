import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type AppError, httpStatusOf, toAppError } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

/** Sends JSON. The content type is exact: some clients show error texts only then. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json",
    "content-length": bytes.length,
  });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}

/** What an error's answer holds besides the error. */
export interface ErrorExtras {
  readonly requestId: string;
  /** Further members of the body, such as `ready: false`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: OutgoingHttpHeaders;
}

/** Answers `{"error": text, …}`, and closes the connection where the body was not read to its end. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  { requestId, body = {}, headers = {} }: ErrorExtras,
): AppError {
  const error = toAppError(thrown);
  if (error.code === "internal") logger().error({ err: thrown, requestId }, "request failed");
  if (response.headersSent || response.destroyed) return error;
  const text = error.message.replace(/\s+/g, " ");
  sendJson(
    response,
    httpStatusOf(error),
    { error: text, code: error.reason, request_id: requestId, ...body },
    { ...headers, ...extraHeaders(error), ...(request.complete ? {} : { connection: "close" }) },
  );
  return error;
}

function extraHeaders({ reason, details }: AppError): OutgoingHttpHeaders {
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

import { createHash, randomUUID } from "node:crypto";
import { authenticate, currentNonce } from "@/domain/board-servers";
import { type AppError, fail, httpStatusOf, toAppError } from "@/lib/common/errors";
import { boardServerHeaders, signedText } from "@/lib/server/board-protocol";
import { errorBody, errorHeaders } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";

/** Reports name every slot of a server: far below this. */
export const limitBytes = 4 * 1024 * 1024;

/** Runs one call of a board server and turns what it throws into the API's error body. */
export async function answer(
  route: string,
  request: Request,
  run: () => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID();
  try {
    return await run();
  } catch (thrown) {
    const error = toAppError(thrown);
    const status = httpStatusOf(error);
    logger().warn({ route, requestId, status, err: status >= 500 ? thrown : error }, "request");
    const headers = { ...errorHeaders(error), ...(await nonceHeader(error, request)) };
    return Response.json(errorBody(error, requestId), { status, headers });
  }
}

/** A server that is refused, since an answer with its nonce was lost, can sign again at once. */
async function nonceHeader(
  { reason }: AppError,
  { headers }: Request,
): Promise<Record<string, string>> {
  if (reason !== "UNAUTHENTICATED") return {};
  const server = headers.get(boardServerHeaders.server) ?? "";
  const nonce = await currentNonce(server).catch(() => null);
  return nonce === null ? {} : { [boardServerHeaders.nonce]: nonce };
}

/**
 * Proves who sent a request.
 *
 * @throws {AppError} `UNAUTHENTICATED`
 */
export async function requireServer(
  { method, url, headers }: Request,
  body: Uint8Array,
): Promise<{ readonly serverId: string; readonly nonce: string }> {
  const nonce = headers.get(boardServerHeaders.nonce) ?? "";
  const { pathname: path } = new URL(url);
  const bodySha256 = createHash("sha256").update(body).digest("hex");
  return await authenticate({
    serverId: headers.get(boardServerHeaders.server) ?? "",
    nonce,
    signature: headers.get(boardServerHeaders.signature) ?? "",
    text: signedText({ method, path, nonce, bodySha256 }),
  });
}

/** @throws {AppError} `INVALID_JSON` */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw fail("INVALID_JSON", "The request body is not JSON.", { cause });
  }
}

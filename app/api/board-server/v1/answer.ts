import { createHash, randomUUID } from "node:crypto";
import { authenticate, currentNonce } from "@/domain/board-servers";
import { fail, httpStatusOf, toAppError } from "@/lib/common/errors";
import { boardServerHeaders, signedText } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";

/** Reports name every slot of a server: far below this. */
const maxBodyBytes = 4 * 1024 * 1024;

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
    const { code, reason, message, hint } = error;
    logger().warn({
      route,
      requestId,
      status,
      code,
      reason,
      ...(status === 500 ? { err: thrown } : {}),
    });
    const body = { error: { code, reason, message, ...(hint ? { hint } : {}), requestId } };
    const headers = reason === "UNAUTHENTICATED" ? await nonceHeader(request) : {};
    return Response.json(body, { status, headers });
  }
}

/** A refused server can sign again at once. */
async function nonceHeader(request: Request): Promise<Record<string, string>> {
  const server = request.headers.get(boardServerHeaders.server) ?? "";
  const nonce = await currentNonce(server).catch(() => null);
  return nonce === null ? {} : { [boardServerHeaders.nonce]: nonce };
}

/**
 * Proves who sent a request.
 *
 * @throws {AppError} `UNAUTHENTICATED`
 */
export async function requireServer(
  request: Request,
  body: Uint8Array,
): Promise<{ readonly serverId: string; readonly nonce: string }> {
  const nonce = request.headers.get(boardServerHeaders.nonce) ?? "";
  return await authenticate({
    serverId: request.headers.get(boardServerHeaders.server) ?? "",
    nonce,
    signature: request.headers.get(boardServerHeaders.signature) ?? "",
    text: signedText({
      method: request.method,
      path: new URL(request.url).pathname,
      nonce,
      bodySha256: createHash("sha256").update(body).digest("hex"),
    }),
  });
}

/** @throws {AppError} `BODY_TOO_LARGE` */
export async function readBytes(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBodyBytes) throw fail("BODY_TOO_LARGE", "The request body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws {AppError} `INVALID_JSON` */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw fail("INVALID_JSON", "The request body is not JSON.", { cause });
  }
}

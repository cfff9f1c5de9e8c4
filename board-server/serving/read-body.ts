import type { IncomingMessage } from "node:http";
import { fail } from "@/lib/common/errors";

/** The gateway's own limit and room for what its JSON adds. */
const maxBytes = 80 * 1024 * 1024;

/** Reads a body of a known length into memory of its own, so that its tensors can be views and be handed to a thread. */
export function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const length = Number(request.headers["content-length"]);
  if (!Number.isInteger(length) || length > maxBytes) {
    request.resume();
    return Promise.reject(fail("BODY_TOO_LARGE", "The body has no length or is too long."));
  }
  const body = new Uint8Array(length);
  let filled = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      body.set(chunk, filled);
      filled += chunk.length;
    });
    request.on("end", () => resolve(body));
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(fail("CANCELLED", "the caller is gone"));
    });
  });
}

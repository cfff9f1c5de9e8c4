import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type AppError, fail } from "@/lib/common/errors";

/** Bytes of one inference body, as received and after decompression. */
export const defaultMaxBodyBytes = 64 * 1024 * 1024;
/** DEFLATE reaches about 1,030:1; honest tensors come nowhere near this. */
const maxRatio = 200;

/**
 * Reads the body of a request, decompressed, into one piece of memory.
 *
 * @throws {AppError} `BODY_TOO_LARGE`, `ENCODING_UNSUPPORTED`, `INFER_INVALID` for a corrupt stream, `CANCELLED` when
 *   the caller is gone.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const { headers } = request;
  const declared = Number(headers["content-length"] ?? 0);
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return collect(request, declared, maxBytes);
  if (encoding !== "gzip" && encoding !== "deflate" && encoding !== "x-gzip") {
    return Promise.reject(
      fail("ENCODING_UNSUPPORTED", `the content encoding '${encoding.slice(0, 40)}' is not known`),
    );
  }
  return inflate(request, encoding, maxBytes);
}

function collect(
  request: IncomingMessage,
  declared: number,
  maxBytes: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.pause();
        reject(tooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks, size));
    });
    onLoss(request, reject);
    if (declared === 0 && request.complete) resolve(new Uint8Array(0));
  });
}

function inflate(
  request: IncomingMessage,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let size = 0;
    let inflater: Transform | null = null;
    const stop = (error: AppError): void => {
      request.pause();
      inflater?.destroy();
      reject(error);
    };
    const start = (first: Buffer): Transform => {
      const made =
        encoding !== "deflate"
          ? createGunzip()
          : isZlib(first)
            ? createInflate()
            : createInflateRaw();
      made.on("data", (chunk: Buffer) => {
        size += chunk.length;
        const limit = Math.min(maxBytes, Math.max(65_536, received * maxRatio));
        if (size > limit) stop(tooLarge(maxBytes));
        else chunks.push(chunk);
      });
      made.on("end", () => resolve(Buffer.concat(chunks, size)));
      made.on("error", () => stop(corrupt(encoding)));
      made.on("drain", () => request.resume());
      return made;
    };
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) {
        stop(tooLarge(maxBytes));
        return;
      }
      inflater ??= start(chunk);
      if (!inflater.write(chunk)) request.pause();
    });
    request.on("end", () => {
      if (inflater) inflater.end();
      else reject(corrupt(encoding));
    });
    onLoss(request, reject);
  });
}

/** Clients say deflate and mean the zlib wrapper (RFC 1950); some send the bare stream. */
function isZlib(first: Buffer): boolean {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

function onLoss(request: IncomingMessage, reject: (error: AppError) => void): void {
  const lost = (): void => reject(fail("CANCELLED", "the caller is gone"));
  request.on("error", lost);
  request.on("close", () => {
    if (!request.complete) lost();
  });
}

function tooLarge(maxBytes: number): AppError {
  return fail("BODY_TOO_LARGE", `the request body is larger than ${maxBytes} bytes`);
}

function corrupt(encoding: string): AppError {
  return fail("INFER_INVALID", `the request body is not a whole ${encoding} stream`);
}

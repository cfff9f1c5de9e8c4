import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type AppError, fail } from "@/lib/common/errors";
import { BodyCollector, unpackedLimit } from "../core/body-collector";
import type { Reservation } from "../core/byte-budget";

/** Bytes of one inference body, as received and after decompression. */
export const defaultMaxBodyBytes = 64 * 1024 * 1024;
const unpackedChunkBytes = 65_536;

export interface ReadOptions {
  readonly maxBytes: number;
  /** Takes the body's bytes as they come; it goes on to hold them. */
  readonly reservation: Reservation;
}

/**
 * Reads the body of a request, decompressed, into one piece of memory.
 *
 * @throws {AppError} `BODY_TOO_LARGE`, `ENCODING_UNSUPPORTED`, `INFER_INVALID` for a corrupt stream or a body in crumbs,
 *   `RATE_LIMITED` and `MEMORY_FULL` where requests hold too much already, `CANCELLED` when the caller is gone.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, reservation }: ReadOptions,
): Promise<Uint8Array> {
  const { headers } = request;
  const declared = Number(headers["content-length"] ?? 0);
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "")
    return collect(request, { maxBytes, reservation });
  if (encoding !== "gzip" && encoding !== "deflate" && encoding !== "x-gzip") {
    return Promise.reject(
      fail("ENCODING_UNSUPPORTED", `the content encoding '${encoding.slice(0, 40)}' is not known`),
    );
  }
  return inflate(request, encoding, { maxBytes, reservation });
}

function collect(
  request: IncomingMessage,
  { maxBytes, reservation }: ReadOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(reservation);
    let stopped = false;
    request.on("data", (chunk: Buffer) => {
      if (stopped) return;
      try {
        if (collector.length + chunk.length > maxBytes) throw tooLarge(maxBytes);
        collector.add(chunk);
      } catch (error) {
        stopped = true;
        request.pause();
        reject(error);
      }
    });
    request.on("end", () => {
      if (!stopped) resolve(collector.take());
    });
    onLoss(request, reject);
  });
}

function inflate(
  request: IncomingMessage,
  encoding: string,
  { maxBytes, reservation }: ReadOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(reservation);
    let received = 0;
    let stopped = false;
    let inflater: Transform | null = null;
    const stop = (error: unknown): void => {
      stopped = true;
      request.pause();
      inflater?.destroy();
      reject(error);
    };
    const start = (first: Buffer): Transform => {
      const create =
        encoding !== "deflate" ? createGunzip : isZlib(first) ? createInflate : createInflateRaw;
      const made = create({ chunkSize: unpackedChunkBytes });
      made.on("data", (chunk: Buffer) => {
        if (stopped) return;
        try {
          const size = collector.length + chunk.length;
          if (size > unpackedLimit(received, maxBytes)) throw tooLarge(maxBytes);
          collector.add(chunk);
        } catch (error) {
          stop(error);
        }
      });
      made.on("end", () => resolve(collector.take()));
      made.on("error", () => stop(corrupt(encoding)));
      made.on("drain", () => request.resume());
      return made;
    };
    request.on("data", (chunk: Buffer) => {
      if (stopped) return;
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
      else if (!stopped) reject(corrupt(encoding));
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

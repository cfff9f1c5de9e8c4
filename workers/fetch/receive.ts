import { createWriteStream } from "node:fs";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Digest } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { DigestStream } from "@/lib/server/digest";
import { type OpenSource, tooLarge, unavailable } from "./open-web";

export interface ReceiveOptions {
  readonly path: string;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
  readonly pace: Pace;
  readonly onProgress?: ((bytes: number, totalBytes: number | null) => void) | undefined;
}

/** The least that a source must send: so many bytes in each window. */
export interface Pace {
  readonly bytesPerWindow: number;
  readonly windowMs: number;
}

/** 16 KiB/s over a minute. */
export const defaultPace: Pace = { bytesPerWindow: 16 * 1024 * 60, windowMs: 60_000 };

/**
 * Writes a body to a new file, hashing it on the way.
 *
 * @throws {AppError} `SOURCE_TOO_LARGE`, `SOURCE_TOO_SLOW`, `SOURCE_TRUNCATED`.
 */
export async function receive(
  { stream, sizeBytes }: OpenSource,
  { path, limitBytes, signal, pace, onProgress }: ReceiveOptions,
): Promise<{ readonly sizeBytes: number; readonly digest: Digest }> {
  const hash = new DigestStream();
  const slow = new AbortController();
  // Counted as it comes: a disk that is slow is not the source's fault.
  let arrived = 0;
  let atWindowStart = 0;
  const timer = setInterval(() => {
    if (arrived - atWindowStart < pace.bytesPerWindow) slow.abort();
    atWindowStart = arrived;
  }, pace.windowMs);
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  const counted = limited(limitBytes, (bytes) => {
    arrived = bytes;
    onProgress?.(bytes, sizeBytes);
  });
  try {
    await pipeline(stream, counted, hash, file, { signal: AbortSignal.any([signal, slow.signal]) });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (slow.signal.aborted) {
      throw fail("SOURCE_TOO_SLOW", "The source sends the file too slowly.");
    }
    if (isAppError(error)) throw error;
    if (isNoSpace(error)) throw fail("NO_SPACE", "The disk is full.", { cause: error });
    // A body that breaks off once it has begun is short; before that the source is away.
    if (hash.sizeBytes > 0) throw truncated(hash.sizeBytes, sizeBytes, error);
    throw unavailable("The source ended the connection before it sent anything.", error);
  } finally {
    clearInterval(timer);
  }
  if (sizeBytes !== null && sizeBytes !== hash.sizeBytes)
    throw truncated(hash.sizeBytes, sizeBytes);
  return { sizeBytes: hash.sizeBytes, digest: hash.digest };
}

function limited(limitBytes: number, onBytes: (bytes: number) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > limitBytes) return done(tooLarge(limitBytes));
      onBytes(bytes);
      return done(null, chunk);
    },
  });
}

function truncated(has: number, promised: number | null, cause?: unknown) {
  const of = promised === null ? "" : ` of ${promised}`;
  return fail("SOURCE_TRUNCATED", `The source sent ${has}${of} bytes and stopped.`, {
    hint: "Try again; the file may be incomplete at its source.",
    cause,
  });
}

function isNoSpace(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

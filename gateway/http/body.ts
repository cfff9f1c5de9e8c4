import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { type AppError, fail } from "@/lib/common/errors";
import { BodyCollector, type Reservation, unpackedLimit } from "../intake";
import { readPieces } from "./pieces";

/** Bytes of one inference body, as received and after decompression. */
export const defaultMaxBodyBytes = 64 * 1024 * 1024;
const unpackedChunkBytes = 65_536;

/** How much of a body is read, and on whose account. */
export interface ReadOptions {
  readonly maxBytes: number;
  /** Takes the body's bytes as they come; it goes on to hold them. */
  readonly reservation: Reservation;
}

/**
 * Reads the body of a request, decompressed, into one piece of memory.
 *
 * @throws {AppError} `BODY_TOO_LARGE`, `ENCODING_UNSUPPORTED`, `INFER_INVALID` for a corrupt stream,
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
    return collect(request, declared, { maxBytes, reservation });
  if (encoding !== "gzip" && encoding !== "deflate" && encoding !== "x-gzip") {
    return Promise.reject(
      fail("ENCODING_UNSUPPORTED", `the content encoding '${encoding.slice(0, 40)}' is not known`),
    );
  }
  return inflate(request, encoding, { maxBytes, reservation });
}

function collect(
  request: IncomingMessage,
  declaredBytes: number,
  { maxBytes, reservation }: ReadOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collector = new BodyCollector(reservation, declaredBytes);
    const pieces = readPieces(request, {
      onPiece(piece) {
        try {
          if (collector.length + piece.length > maxBytes) throw tooLarge(maxBytes);
          collector.add(piece);
        } catch (error) {
          pieces.stop();
          reject(error);
        }
      },
      onEnd: () => resolve(collector.take()),
      onLoss: () => reject(lost()),
    });
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
      pieces.stop();
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
      made.on("drain", () => pieces.goOn());
      return made;
    };
    const pieces = readPieces(request, {
      onPiece(piece) {
        received += piece.length;
        if (received > maxBytes) return stop(tooLarge(maxBytes));
        inflater ??= start(piece);
        if (!inflater.write(piece)) pieces.hold();
      },
      onEnd() {
        if (inflater) inflater.end();
        else reject(corrupt(encoding));
      },
      onLoss: () => reject(lost()),
    });
  });
}

/** Clients say deflate and mean the zlib wrapper (RFC 1950); some send the bare stream. */
function isZlib(first: Buffer): boolean {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

const lost = (): AppError => fail("CANCELLED", "the caller is gone");

function tooLarge(maxBytes: number): AppError {
  return fail("BODY_TOO_LARGE", `the request body is larger than ${maxBytes} bytes`);
}

function corrupt(encoding: string): AppError {
  return fail("INFER_INVALID", `the request body is not a whole ${encoding} stream`);
}

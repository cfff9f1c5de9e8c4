import { createGunzip, createInflate } from "node:zlib";
import { fail, isAppError } from "@/lib/common/errors";
import { BodyCollector, type Reservation, tellSmallRequest, unpackedLimit } from "../../intake";

/** Before each message: a flag that it is packed, and its length in 32 bits (big-endian). */
const prefixBytes = 5;
const unpackers = { gzip: createGunzip, deflate: createInflate } as const;
const unpackedChunkBytes = 65_536;

/** Ways of packing that messages may come in, as `grpc-accept-encoding` tells them. */
export const acceptedEncodings = "identity,gzip,deflate";

/** What goes before a message: it is never packed. */
export function prefixOf({ length }: Uint8Array): Buffer {
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix[0] = 0;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

/** How messages are taken out of a stream's bytes. */
export interface ReaderOptions {
  /** Of one message, packed and unpacked. */
  readonly maxBytes: number;
  readonly encoding: string | undefined;
  /** Opens the account of the next message. */
  readonly open: () => Reservation;
  readonly onMessage: (message: RawMessage) => void;
}

/** A whole message of a stream, still packed if it came so. */
export interface RawMessage {
  readonly packed: boolean;
  /** Of a large message in a while. */
  readonly bytes: Buffer | Promise<Buffer>;
  /** Holds the message's bytes; for who takes the message to close. */
  readonly reservation: Reservation;
}

/** A message of which only a part is here. */
interface OpenMessage {
  readonly packed: boolean;
  readonly collector: BodyCollector;
  readonly reservation: Reservation;
  missing: number;
}

/** Cuts a stream of bytes into messages. Memory is taken for what came, not for what a prefix announces. */
export class MessageReader {
  private readonly options: ReaderOptions;
  private prefix: Buffer = Buffer.alloc(0);
  private message: OpenMessage | null = null;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  /** True between messages: what ends here is whole. */
  get isWhole(): boolean {
    return this.message === null && this.prefix.length === 0;
  }

  /** Lets go of a message that will not become whole. */
  close(): void {
    this.message?.reservation.close();
    this.message = null;
  }

  /** @throws {AppError} `BODY_TOO_LARGE` as soon as a prefix says so; `RATE_LIMITED`, `MEMORY_FULL`, `INFER_INVALID` */
  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.message === null) {
        const all = this.prefix.length === 0 ? rest : Buffer.concat([this.prefix, rest]);
        if (all.length < prefixBytes) {
          this.prefix = all;
          return;
        }
        this.prefix = Buffer.alloc(0);
        rest = this.begin(all);
      } else rest = this.go(this.message, rest);
    }
  }

  /** Reads a prefix. A message that came in one piece is not copied. */
  private begin(all: Buffer): Buffer {
    const flag = all[0];
    const length = all.readUInt32BE(1);
    const { maxBytes, open, onMessage } = this.options;
    if (flag !== 0 && flag !== 1) throw fail("INFER_INVALID", "this is not a gRPC message");
    if (length > maxBytes) {
      throw fail("BODY_TOO_LARGE", `the message is larger than ${maxBytes} bytes`);
    }
    const end = prefixBytes + length;
    const packed = flag === 1;
    const reservation = open();
    if (all.length >= end) {
      tellSmallRequest();
      reservation.add(length);
      onMessage({ packed, bytes: all.subarray(prefixBytes, end), reservation });
      return all.subarray(end);
    }
    const collector = new BodyCollector(reservation, length);
    this.message = { packed, collector, reservation, missing: length };
    return all.subarray(prefixBytes);
  }

  private go(message: OpenMessage, rest: Buffer): Buffer {
    const { packed, collector, reservation } = message;
    const piece = rest.subarray(0, message.missing);
    collector.add(piece);
    message.missing -= piece.length;
    if (message.missing === 0) {
      this.message = null;
      this.options.onMessage({ packed, bytes: collector.take(), reservation });
    }
    return rest.subarray(piece.length);
  }
}

/**
 * The bytes of a message, unpacked if need be.
 *
 * @throws {AppError} `ENCODING_UNSUPPORTED`, `BODY_TOO_LARGE`, `INFER_INVALID`, `RATE_LIMITED`, `MEMORY_FULL`
 */
export function unpacked(
  message: RawMessage,
  { encoding, maxBytes }: Pick<ReaderOptions, "encoding" | "maxBytes">,
): Buffer | Promise<Buffer> {
  const { packed, bytes, reservation } = message;
  if (!packed) return bytes;
  if (encoding === undefined || encoding === "identity") {
    throw fail("INFER_INVALID", "the message is packed, but grpc-encoding does not say how");
  }
  const by = encoding as keyof typeof unpackers;
  return bytes instanceof Promise
    ? bytes.then((whole) => unpack(whole, reservation, by, maxBytes))
    : unpack(bytes, reservation, by, maxBytes);
}

function unpack(
  bytes: Buffer,
  reservation: Reservation,
  encoding: keyof typeof unpackers,
  maxBytes: number,
): Promise<Buffer> {
  const limit = unpackedLimit(bytes.length, maxBytes);
  const collector = new BodyCollector(reservation);
  const unpacker = unpackers[encoding]({ chunkSize: unpackedChunkBytes });
  return new Promise((resolve, reject) => {
    const stop = (error: unknown): void => {
      unpacker.destroy();
      reject(error);
    };
    unpacker.on("data", (chunk: Buffer) => {
      try {
        if (collector.length + chunk.length > limit) {
          throw fail("BODY_TOO_LARGE", `the message is larger than ${limit} bytes when unpacked`);
        }
        collector.add(chunk);
      } catch (error) {
        stop(error);
      }
    });
    unpacker.on("end", () => {
      reservation.add(-bytes.length);
      resolve(collector.take());
    });
    unpacker.on("error", (cause) =>
      stop(
        isAppError(cause)
          ? cause
          : fail("INFER_INVALID", `the message is no ${encoding} data`, { cause }),
      ),
    );
    unpacker.end(bytes);
  });
}

/** @throws {AppError} `ENCODING_UNSUPPORTED` for a way of packing that is not known here. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding === "identity" || Object.hasOwn(unpackers, encoding)) {
    return;
  }
  throw fail("ENCODING_UNSUPPORTED", `messages packed by '${encoding.slice(0, 40)}' are not read`);
}

import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { fail, isAppError } from "@/lib/common/errors";

/** Before each message: a flag that it is packed, and its length in 32 bits (big-endian). */
const prefixBytes = 5;
const unpackers = { gzip: promisify(gunzip), deflate: promisify(inflate) } as const;

/** Ways of packing that messages may come in, as `grpc-accept-encoding` tells them. */
export const acceptedEncodings = "identity,gzip,deflate";

/** What goes before a message: it is never packed. */
export function prefixOf({ length }: Uint8Array): Buffer {
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix[0] = 0;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

export interface ReaderOptions {
  /** Of one message, packed and unpacked. */
  readonly maxBytes: number;
  readonly encoding: string | undefined;
  readonly onMessage: (message: RawMessage) => void;
}

export interface RawMessage {
  readonly packed: boolean;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into messages. */
export class MessageReader {
  private readonly options: ReaderOptions;
  private prefix: Buffer = Buffer.alloc(0);
  private message: { readonly packed: boolean; readonly bytes: Buffer } | null = null;
  private filled = 0;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  /** True between messages: what ends here is whole. */
  get isWhole(): boolean {
    return this.message === null && this.prefix.length === 0;
  }

  /** @throws {AppError} `BODY_TOO_LARGE` before anything is allocated for such a message; `INFER_INVALID` */
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
      } else {
        const taken = rest.copy(this.message.bytes, this.filled);
        this.filled += taken;
        rest = rest.subarray(taken);
      }
      this.finish();
    }
  }

  /** Reads a prefix. A message that came in one piece is not copied. */
  private begin(all: Buffer): Buffer {
    const flag = all[0];
    const length = all.readUInt32BE(1);
    const { maxBytes, onMessage } = this.options;
    if (flag !== 0 && flag !== 1) throw fail("INFER_INVALID", "this is not a gRPC message");
    if (length > maxBytes) {
      throw fail("BODY_TOO_LARGE", `the message is larger than ${maxBytes} bytes`);
    }
    const end = prefixBytes + length;
    const packed = flag === 1;
    if (all.length >= end) {
      onMessage({ packed, bytes: all.subarray(prefixBytes, end) });
      return all.subarray(end);
    }
    this.message = { packed, bytes: Buffer.from(new ArrayBuffer(length)) };
    this.filled = 0;
    return all.subarray(prefixBytes);
  }

  private finish(): void {
    const { message } = this;
    if (message === null || this.filled < message.bytes.length) return;
    this.message = null;
    this.options.onMessage(message);
  }
}

/**
 * The bytes of a message, unpacked if need be.
 *
 * @throws {AppError} `ENCODING_UNSUPPORTED`, `BODY_TOO_LARGE`, `INFER_INVALID`
 */
export function unpacked(
  { packed, bytes }: RawMessage,
  { encoding, maxBytes }: Pick<ReaderOptions, "encoding" | "maxBytes">,
): Buffer | Promise<Buffer> {
  if (!packed) return bytes;
  if (encoding === undefined || encoding === "identity") {
    throw fail("INFER_INVALID", "the message is packed, but grpc-encoding does not say how");
  }
  return unpack(bytes, encoding, maxBytes);
}

async function unpack(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const unpacker = unpackers[encoding as keyof typeof unpackers];
  try {
    return await unpacker(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") {
      throw fail("BODY_TOO_LARGE", `the message is larger than ${maxBytes} bytes when unpacked`);
    }
    throw fail("INFER_INVALID", `the message is no ${encoding} data`, { cause });
  }
}

/** @throws {AppError} `ENCODING_UNSUPPORTED` for a way of packing that is not known here. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding === "identity" || Object.hasOwn(unpackers, encoding)) {
    return;
  }
  throw fail("ENCODING_UNSUPPORTED", `messages packed by '${encoding.slice(0, 40)}' are not read`);
}

import { fail } from "@/lib/common/errors";

/** Before each message: a flag that it is packed, and its length in 32 bits (big-endian). */
const prefixBytes = 5;

/** A message as it travels; never packed. */
export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(prefixBytes + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** Cuts a stream of bytes into messages. Memory is taken for what came, not for what a prefix announces. */
export class MessageCutter {
  private readonly maxBytes: number;
  private pieces: Buffer[] = [];
  private held = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** True between messages: what ends here is whole. */
  get isWhole(): boolean {
    return this.held === 0;
  }

  /**
   * The messages that are whole now.
   *
   * @throws {AppError} `BODY_TOO_LARGE` as soon as a prefix says so; `UPSTREAM_MISMATCH` for what is no message, or is packed.
   */
  take(piece: Buffer): Uint8Array[] {
    this.pieces.push(piece);
    this.held += piece.length;
    const messages: Uint8Array[] = [];
    while (this.held >= prefixBytes) {
      const all = this.joined();
      const end = prefixBytes + this.lengthOf(all);
      if (all.length < end) break;
      messages.push(new Uint8Array(all.subarray(prefixBytes, end)));
      this.pieces = [all.subarray(end)];
      this.held = all.length - end;
    }
    return messages;
  }

  private lengthOf(all: Buffer): number {
    if (all[0] !== 0) throw fail("UPSTREAM_MISMATCH", "This is no plain gRPC message.");
    const length = all.readUInt32BE(1);
    if (length <= this.maxBytes) return length;
    throw fail("BODY_TOO_LARGE", `A message of ${length} bytes is more than ${this.maxBytes}.`);
  }

  private joined(): Buffer {
    const [first] = this.pieces;
    if (first && this.pieces.length === 1) return first;
    const all = Buffer.concat(this.pieces);
    this.pieces = [all];
    return all;
  }
}

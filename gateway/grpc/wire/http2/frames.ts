import { ConnectionError, errorCodes } from "./errors";

/** Types of frames. @see RFC 9113 section 6 */
export const frameTypes = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  rstStream: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goaway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

/** Bits of a frame's flags; `ack` and `endStream` are the same bit of different frames (RFC 9113, section 6). */
export const flags = {
  ack: 0x1,
  endStream: 0x1,
  endHeaders: 0x4,
  padded: 0x8,
  priority: 0x20,
} as const;

/** Bytes of a frame's head. */
export const headBytes = 9;
/** Largest payload that is taken: the smallest that may be asked for. */
export const maxFrameBytes = 16_384;

/** The nine bytes before each frame's payload, read. */
export interface FrameHead {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
}

/** What is told of the frames of a connection. */
export interface FrameListener {
  /** A whole frame, but for data without padding. */
  onFrame(head: FrameHead, payload: Buffer): void;
  /** The head of a frame of data without padding: its bytes follow in pieces as they come. */
  onDataHead(head: FrameHead): void;
  onData(head: FrameHead, piece: Buffer, isLast: boolean): void;
}

const nothing = Buffer.alloc(0);

/** Cuts a connection's bytes into frames. Data is handed on without being gathered. */
export class FrameReader {
  private readonly listener: FrameListener;
  private rest: Buffer = nothing;
  private open: FrameHead | null = null;
  private left = 0;

  constructor(listener: FrameListener) {
    this.listener = listener;
  }

  /** Whether a frame has begun and not ended. */
  get isWithin(): boolean {
    return this.open !== null || this.rest.length > 0;
  }

  /** @throws {ConnectionError} for a frame that is too large, and whatever the listener throws. */
  push(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = nothing;
    let at = 0;
    while (at < bytes.length) {
      if (this.open) {
        at += this.pass(this.open, bytes.subarray(at, at + this.left));
        continue;
      }
      if (bytes.length - at < headBytes) break;
      const head = readHead(bytes, at);
      if (head.length > maxFrameBytes) {
        throw new ConnectionError(errorCodes.frameSize, "a frame is larger than was allowed");
      }
      const body = at + headBytes;
      if (head.type === frameTypes.data && (head.flags & flags.padded) === 0) {
        this.listener.onDataHead(head);
        at = body;
        this.left = head.length;
        if (head.length === 0) this.listener.onData(head, nothing, true);
        else this.open = head;
        continue;
      }
      if (bytes.length - body < head.length) break;
      at = body + head.length;
      this.listener.onFrame(head, bytes.subarray(body, at));
    }
    if (at < bytes.length) this.rest = bytes.subarray(at);
  }

  private pass(head: FrameHead, piece: Buffer): number {
    this.left -= piece.length;
    const isLast = this.left === 0;
    if (isLast) this.open = null;
    this.listener.onData(head, piece, isLast);
    return piece.length;
  }
}

function readHead(bytes: Buffer, at: number): FrameHead {
  return {
    length: bytes.readUIntBE(at, 3),
    type: bytes[at + 3] ?? 0,
    flags: bytes[at + 4] ?? 0,
    streamId: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
  };
}

/** Writes the head of a frame. Answers where its payload begins. */
export function writeHead(
  into: Buffer,
  at: number,
  { length, type, flags: set, streamId }: FrameHead,
): number {
  into.writeUIntBE(length, at, 3);
  into[at + 3] = type;
  into[at + 4] = set;
  into.writeUInt32BE(streamId, at + 5);
  return at + headBytes;
}

/** A frame with a small payload. */
export function frame(type: number, set: number, streamId: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length);
  bytes.set(payload, writeHead(bytes, 0, { length: payload.length, type, flags: set, streamId }));
  return bytes;
}

/** The part of a payload without its padding. @throws {ConnectionError} */
export function unpadded({ flags: set }: FrameHead, payload: Buffer): Buffer {
  if ((set & flags.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) {
    throw new ConnectionError(errorCodes.protocol, "a frame has more padding than bytes");
  }
  return payload.subarray(1, payload.length - padding);
}

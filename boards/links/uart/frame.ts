import { fail } from "@/lib/common/errors";
import { cobsDecode, cobsEncode } from "./cobs";
import { crc16 } from "./crc16";
import { type FrameKind, frameKinds, PROTOCOL_VERSION } from "./protocol";

/** One message on a serial link. */
export interface Frame {
  readonly kind: FrameKind;
  /** 0 to 255; an answer has the number of its request. */
  readonly sequence: number;
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 4;
const CRC_BYTES = 2;
const MAX_PAYLOAD_BYTES = 0xffff;

/**
 * A frame as it goes over the line: header (version and kind, sequence, length), payload and CRC-16, little-endian,
 * COBS-encoded, one zero behind.
 * @throws {AppError} `LINK_FAILED` when the payload is longer than 65,535 bytes.
 */
export function encodeFrame({ kind, sequence, payload }: Frame): Uint8Array {
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw fail("LINK_FAILED", `A frame cannot carry ${payload.length} bytes.`);
  }
  const bytes = new Uint8Array(HEADER_BYTES + payload.length + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, (PROTOCOL_VERSION << 4) | kind);
  view.setUint8(1, sequence);
  view.setUint16(2, payload.length, true);
  bytes.set(payload, HEADER_BYTES);
  const end = HEADER_BYTES + payload.length;
  view.setUint16(end, crc16(bytes.subarray(0, end)), true);
  const encoded = cobsEncode(bytes);
  const line = new Uint8Array(encoded.length + 1);
  line.set(encoded);
  return line;
}

const kinds: ReadonlySet<number> = new Set(Object.values(frameKinds));
const isKind = (kind: number): kind is FrameKind => kinds.has(kind);

/** A frame whose CRC is right, of whatever version and kind. */
interface CheckedFrame {
  /** Version and kind. */
  readonly first: number;
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** The frame between two delimiters, or null when its length or its CRC is wrong. */
export function checkFrame(encoded: Uint8Array): CheckedFrame | null {
  const bytes = cobsDecode(encoded);
  if (bytes === null || bytes.length < HEADER_BYTES + CRC_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - CRC_BYTES;
  if (view.getUint16(2, true) !== end - HEADER_BYTES) return null;
  if (view.getUint16(end, true) !== crc16(bytes.subarray(0, end))) return null;
  const payload = bytes.slice(HEADER_BYTES, end);
  return { first: view.getUint8(0), sequence: view.getUint8(1), payload };
}

/** The frame between two delimiters, or null when anything about it is wrong. */
function decodeFrame(encoded: Uint8Array): Frame | null {
  const frame = checkFrame(encoded);
  if (frame === null) return null;
  const { first, sequence, payload } = frame;
  const kind = first & 0x0f;
  return first >> 4 === PROTOCOL_VERSION && isKind(kind) ? { kind, sequence, payload } : null;
}

/** Finds the frames in the bytes of a line, however they are cut. What is no frame is dropped and counted. */
export class FrameDecoder {
  readonly #buffer: Uint8Array;
  #length = 0;
  #dropped = 0;

  /** @param maxPayloadBytes Longer frames are dropped, so that noise cannot fill memory. */
  constructor(maxPayloadBytes: number = MAX_PAYLOAD_BYTES) {
    const bytes = HEADER_BYTES + maxPayloadBytes + CRC_BYTES;
    this.#buffer = new Uint8Array(bytes + Math.floor(bytes / 254) + 1);
  }

  /** Frames dropped so far: cut off, garbled, too long or of another version. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @returns The frames that end in these bytes, in order. */
  push(bytes: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    for (const byte of bytes) {
      if (byte !== 0) {
        if (this.#length < this.#buffer.length) this.#buffer[this.#length] = byte;
        this.#length += 1;
      } else if (this.#length > 0) {
        const fits = this.#length <= this.#buffer.length;
        const frame = fits ? decodeFrame(this.#buffer.subarray(0, this.#length)) : null;
        if (frame === null) this.#dropped += 1;
        else frames.push(frame);
        this.#length = 0;
      }
    }
    return frames;
  }

  /** Forgets half a frame, as after a pause on the line. */
  reset(): void {
    this.#length = 0;
  }
}

/** What a result frame carries. */
export interface ResultPayload {
  /** Output row of the core, as its bytes. */
  readonly output: Uint8Array;
  /** Cycles from the last input byte to the first result byte, counted by the core. */
  readonly cycles: number;
}

/** @throws {AppError} `LINK_FAILED` when the payload is not `outputBytes` and a cycle count long. */
export function parseResult(payload: Uint8Array, outputBytes: number): ResultPayload {
  if (payload.length !== outputBytes + 4) {
    throw fail(
      "LINK_FAILED",
      `The board answered ${payload.length} bytes, not ${outputBytes + 4}.`,
    );
  }
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  return { output: payload.slice(0, outputBytes), cycles: view.getUint32(outputBytes, true) };
}

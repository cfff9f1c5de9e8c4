import { truncated } from "./faults";

const latin = new TextDecoder("latin1");

/** Text of bytes, one character each. */
export const latinText = (bytes: Uint8Array): string => latin.decode(bytes);

/** Where some bytes lie in others, from a place on; −1: nowhere before `end`. */
export function findBytes(
  bytes: Uint8Array,
  wanted: readonly number[],
  { from = 0, end = bytes.length }: { readonly from?: number; readonly end?: number } = {},
): number {
  const last = Math.min(end, bytes.length) - wanted.length;
  for (let at = from; at <= last; at++) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Reads bytes in their order; what is not there any more is told as a file that is cut off. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** @throws {AppError} `FIRMWARE_TRUNCATED` naming what was to come. */
  take(count: number, what: string): Uint8Array {
    const left = this.bytes.length - this.at;
    if (count > left) throw truncated(`${what} needs ${count} bytes, and ${left} are left`);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** An unsigned number of so many bytes, the highest first. */
  number(count: number, what: string): number {
    return this.take(count, what).reduce((value, byte) => value * 256 + byte, 0);
  }
}

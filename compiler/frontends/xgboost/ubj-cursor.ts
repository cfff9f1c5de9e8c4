import { type AppError, fail } from "@/lib/common/errors";

const text = new TextDecoder("utf-8");

/** Widths in bytes of the numbers, by their marker. */
export const widths: Readonly<Record<string, number>> = {
  i: 1,
  U: 1,
  I: 2,
  l: 4,
  L: 8,
  d: 4,
  D: 8,
};

/** A place in a UBJSON file that moves on past each token that is read; it never leaves the file. */
export class UbjCursor {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws {AppError} `MODEL_TRUNCATED` when fewer bytes are left. */
  need(count: number): void {
    if (this.at + count > this.bytes.length) throw truncated(this.bytes.length);
  }

  /** Moves past one character if it comes next; tells whether it did. */
  skip(character: string): boolean {
    this.need(1);
    const isNext = this.bytes[this.at] === character.charCodeAt(0);
    if (isNext) this.at++;
    return isNext;
  }

  character(): string {
    this.need(1);
    return String.fromCharCode(this.bytes[this.at++] ?? 0);
  }

  /** What kind of value comes next; markers that mean nothing are passed over. */
  marker(): string {
    for (;;) {
      const code = this.character();
      if (code !== "N") return code;
    }
  }

  /** @throws {AppError} `MODEL_INVALID` when the marker is no number's. */
  number(kind: string): number {
    const width = widths[kind];
    if (width === undefined) throw this.broken();
    this.need(width);
    const from = this.at;
    this.at += width;
    switch (kind) {
      case "i":
        return this.view.getInt8(from);
      case "U":
        return this.view.getUint8(from);
      case "I":
        return this.view.getInt16(from);
      case "l":
        return this.view.getInt32(from);
      case "L":
        return Number(this.view.getBigInt64(from));
      case "d":
        return this.view.getFloat32(from);
      default:
        return this.view.getFloat64(from);
    }
  }

  /** A count that is not negative, with its marker. */
  length(): number {
    const count = this.number(this.marker());
    if (!Number.isSafeInteger(count) || count < 0) throw this.broken();
    return count;
  }

  /** A text with its length, without a marker. */
  string(): string {
    const count = this.length();
    this.need(count);
    this.at += count;
    return text.decode(this.bytes.subarray(this.at - count, this.at));
  }

  broken(): AppError {
    return fail("MODEL_INVALID", `The UBJSON is broken at byte ${this.at}.`);
  }
}

function truncated(size: number): AppError {
  return fail("MODEL_TRUNCATED", `The UBJSON ends at byte ${size}, before the model does.`, {
    hint: "This is likely an incomplete download.",
  });
}

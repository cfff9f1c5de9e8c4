import { float32List, float32Pieces } from "./float32-writer";

/** Where JSON is written to. */
export interface JsonOut {
  add(text: string): void;
  /** Adds float32 values, comma-separated. */
  addFloat32(values: Float32Array): void;
}

/** JSON as a string. */
export class StringOut implements JsonOut {
  text = "";

  add(text: string): void {
    this.text += text;
  }

  addFloat32(values: Float32Array): void {
    this.text += float32List(values);
  }
}

const encoder = new TextEncoder();
/** Of one float32 and its comma as they usually are. */
const usualBytes = 12;

/** JSON as its UTF-8 bytes, which grow in one piece of memory: a long list is never a string, which would be copied thrice. */
export class BytesOut implements JsonOut {
  length = 0;
  private bytes = new Uint8Array(1024);

  add(text: string): void {
    this.addBytes(encoder.encode(text));
  }

  addFloat32(values: Float32Array): void {
    this.reserve(values.length * usualBytes);
    for (const piece of float32Pieces(values)) this.addBytes(piece);
  }

  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** All that was written. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

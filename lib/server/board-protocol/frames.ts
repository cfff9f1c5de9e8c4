import type { Duplex } from "node:stream";
import {
  type Datatype,
  datatypes,
  readBlob,
  type Tensor,
  type TensorData,
  writeBlob,
} from "@/lib/common/tensor";

// Messages between processes of one host: two lengths of 32 bits (little-endian), words as JSON, then the tensors' blobs,
// each at a multiple of 8 bytes, so that typed arrays can look at them where they lie.

/** A message that came: `head` is plain data. */
export interface Frame {
  readonly head: unknown;
  readonly tensors: readonly Tensor[];
}

/** A tensor to be sent, in one piece or in several that follow each other. */
export interface TensorParts extends Omit<Tensor, "data"> {
  readonly parts: readonly TensorData[];
}

interface FramedTensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly count: number;
  readonly bytes: number;
}

const prefixBytes = 8;
/** Up to here one copy is quicker than several pieces. */
const smallBytes = 64 * 1024;
const limits = { words: 4 * 2 ** 20, blobs: 2 ** 31 } as const;
const padding = new Uint8Array(8);
const padded = (bytes: number): number => (bytes + 7) & ~7;

/** The tensors as a frame carries them: heads for its JSON, bytes for behind it. */
export const partsOf = (tensors: readonly Tensor[]): TensorParts[] =>
  tensors.map(({ name, datatype, shape, data }) => ({ name, datatype, shape, parts: [data] }));

/** Sends a message; large blobs are written from where they lie. */
export function writeFrame(stream: Duplex, head: unknown, tensors: readonly TensorParts[]): void {
  const blobs: (readonly Uint8Array[])[] = [];
  let total = 0;
  const framed = tensors.map(({ name, datatype, shape, parts }): FramedTensor => {
    const pieces = parts.map(writeBlob);
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    blobs.push(pieces);
    total += padded(bytes);
    return {
      name,
      datatype,
      shape,
      count: parts.reduce((sum, { length }) => sum + length, 0),
      bytes,
    };
  });
  const words = JSON.stringify([head, framed]);
  const wordsBytes = Buffer.byteLength(words);
  const isSmall = total <= smallBytes;
  const first = Buffer.allocUnsafe(prefixBytes + wordsBytes + (isSmall ? total : 0));
  first.writeUInt32LE(wordsBytes, 0);
  first.writeUInt32LE(total, 4);
  first.write(words, prefixBytes);
  if (isSmall) {
    let at = prefixBytes + wordsBytes;
    for (const pieces of blobs) {
      let end = at;
      for (const piece of pieces) {
        first.set(piece, end);
        end += piece.length;
      }
      at += padded(end - at);
    }
    stream.write(first);
    return;
  }
  stream.cork();
  stream.write(first);
  for (const [index, pieces] of blobs.entries()) {
    for (const piece of pieces) if (piece.length > 0) stream.write(piece);
    const bytes = framed[index]?.bytes ?? 0;
    if (padded(bytes) > bytes) stream.write(padding.subarray(0, padded(bytes) - bytes));
  }
  stream.uncork();
}

/**
 * Calls `onFrame` with each whole message; every blob is copied once, off the stream. What is no such message ends the
 * stream with an error.
 */
export function readFrames(stream: Duplex, onFrame: (frame: Frame) => void): void {
  let part: Buffer = Buffer.alloc(prefixBytes);
  let filled = 0;
  let lengths: { readonly words: number; readonly blobs: number } | null = null;
  stream.on("data", (chunk: Buffer) => {
    let offset = 0;
    for (;;) {
      const taken = chunk.copy(part, filled, offset);
      filled += taken;
      offset += taken;
      if (filled < part.length) return;
      filled = 0;
      if (lengths === null) {
        lengths = { words: part.readUInt32LE(0), blobs: part.readUInt32LE(4) };
        if (lengths.words > limits.words || lengths.blobs > limits.blobs) {
          stream.destroy(new Error("a message is longer than any may be"));
          return;
        }
        // A buffer of its own, not of a shared pool, that lets the blobs begin at a multiple of 8.
        const before = padded(lengths.words) - lengths.words;
        try {
          part = Buffer.from(new ArrayBuffer(before + lengths.words + lengths.blobs), before);
        } catch (error) {
          // More than there is to be had: lengths are only claimed.
          stream.destroy(toError(error));
          return;
        }
        continue;
      }
      const { words } = lengths;
      const whole = part;
      lengths = null;
      part = Buffer.alloc(prefixBytes);
      let frame: Frame;
      try {
        frame = parse(whole, words);
      } catch (error) {
        stream.destroy(toError(error));
        return;
      }
      onFrame(frame);
    }
  });
}

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

function parse(whole: Buffer, words: number): Frame {
  const [head, framed] = JSON.parse(whole.toString("utf8", 0, words)) as [unknown, FramedTensor[]];
  let offset = words;
  const tensors = framed.map(({ name, datatype, shape, count, bytes }): Tensor => {
    if (!Object.hasOwn(datatypes, datatype) || !(bytes >= 0) || offset + bytes > whole.length) {
      throw new Error("a message contradicts itself");
    }
    const blob = whole.subarray(offset, offset + bytes);
    offset += padded(bytes);
    return { name, datatype, shape, data: readBlob(blob, { datatype, count, label: `'${name}'` }) };
  });
  return { head, tensors };
}

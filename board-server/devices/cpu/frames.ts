import type { Duplex } from "node:stream";
import { readBlob, type Tensor, writeBlob } from "@/lib/common/tensor";

// Messages between the board server and the process of a session: two lengths of 32 bits (little-endian), words as JSON,
// then the tensors' blobs, each at a multiple of 8 bytes, so that typed arrays can look at them where they lie.

/** A message: `head` is plain data. */
export interface Frame {
  readonly head: unknown;
  readonly tensors: readonly Tensor[];
}

interface FramedTensor extends Omit<Tensor, "data"> {
  readonly count: number;
  readonly bytes: number;
}

const prefixBytes = 8;
const padding = new Uint8Array(8);
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Sends a message; blobs are written from where they lie. */
export function writeFrame(stream: Duplex, { head, tensors }: Frame): void {
  const blobs = tensors.map(({ data }) => writeBlob(data));
  const framed = tensors.map(
    ({ name, datatype, shape, data }, index): FramedTensor => ({
      name,
      datatype,
      shape,
      count: data.length,
      bytes: blobs[index]?.length ?? 0,
    }),
  );
  const words = Buffer.from(JSON.stringify([head, framed]));
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix.writeUInt32LE(words.length, 0);
  prefix.writeUInt32LE(
    blobs.reduce((sum, { length }) => sum + padded(length), 0),
    4,
  );
  stream.cork();
  stream.write(prefix);
  stream.write(words);
  for (const blob of blobs) {
    if (blob.length > 0) stream.write(blob);
    const rest = padded(blob.length) - blob.length;
    if (rest > 0) stream.write(padding.subarray(0, rest));
  }
  stream.uncork();
}

/** Calls `onFrame` with each whole message; every blob is copied once, off the stream. */
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
      if (lengths === null) {
        lengths = { words: part.readUInt32LE(0), blobs: part.readUInt32LE(4) };
        // A buffer of its own, not of a shared pool: the blobs begin at a multiple of 8.
        part = Buffer.from(new ArrayBuffer(padded(lengths.words) + lengths.blobs));
        part = part.subarray(padded(lengths.words) - lengths.words);
      } else {
        const { words } = lengths;
        const whole = part;
        lengths = null;
        part = Buffer.alloc(prefixBytes);
        onFrame(parse(whole, words));
      }
      filled = 0;
    }
  });
}

function parse(whole: Buffer, words: number): Frame {
  const [head, framed] = JSON.parse(whole.toString("utf8", 0, words)) as [unknown, FramedTensor[]];
  let offset = words;
  const tensors = framed.map(({ bytes, count, ...spec }): Tensor => {
    const blob = whole.subarray(offset, offset + bytes);
    offset += padded(bytes);
    const label = `'${spec.name}'`;
    return { ...spec, data: readBlob(blob, { datatype: spec.datatype, count, label }) };
  });
  return { head, tensors };
}

import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Tensor } from "@/lib/common/tensor";
import { type Frame, readFrames, writeFrame } from "./frames";

const text = (word: string) => new TextEncoder().encode(word);
const frames: Frame[] = [
  { head: { id: 1, kind: "é" }, tensors: [] },
  {
    head: { id: 2 },
    tensors: [
      { name: "a", datatype: "INT8", shape: [3], data: Int8Array.of(-1, 0, 127) },
      { name: "b", datatype: "FP64", shape: [1, 2], data: Float64Array.of(0.1, -2) },
      { name: "c", datatype: "BYTES", shape: [2], data: [text(""), text("xyz")] },
      { name: "d", datatype: "FP32", shape: [0, 4], data: new Float32Array() },
      { name: "e", datatype: "INT64", shape: [], data: BigInt64Array.of(-(2n ** 63n)) },
    ] satisfies Tensor[],
  },
  {
    head: null,
    tensors: [{ name: "x", datatype: "FP32", shape: [99], data: new Float32Array(99).fill(2) }],
  },
];

/** All frames as bytes, in the pieces that are wanted, through a reader. */
function through(pieceBytes: number): Frame[] {
  const written: Buffer[] = [];
  const out = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      written.push(chunk);
      done();
    },
  });
  for (const frame of frames) writeFrame(out, frame);
  const bytes = Buffer.concat(written);
  const back = new Duplex({ read() {} });
  const read: Frame[] = [];
  readFrames(back, (frame) => read.push(frame));
  for (let at = 0; at < bytes.length; at += pieceBytes)
    back.emit("data", bytes.subarray(at, at + pieceBytes));
  return read;
}

describe("frames", () => {
  it.each([1, 3, 8, 1000, 1_000_000])("come back whole from pieces of %i bytes", (pieceBytes) => {
    expect(through(pieceBytes).map(plain)).toEqual(frames.map(plain));
  });
});

/** Elements as plain values: a reader's bytes may be of another class. */
function plain({ head, tensors }: Frame) {
  const numbers = (data: Tensor["data"]) =>
    Array.from(data as ArrayLike<unknown>, (each) =>
      each instanceof Uint8Array ? [...each] : each,
    );
  return { head, tensors: tensors.map((each) => ({ ...each, data: numbers(each.data) })) };
}

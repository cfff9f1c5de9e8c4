import { Duplex } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { Tensor } from "@/lib/common/tensor";
import { type Frame, partsOf, readFrames, writeFrame } from "./frames";

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

/** What a reader sees of what is written, in pieces of some size. */
function written(write: (out: Duplex) => void, pieceBytes = 1000): Frame[] {
  const chunks: Buffer[] = [];
  const out = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  write(out);
  const bytes = Buffer.concat(chunks);
  const back = new Duplex({ read() {} });
  const read: Frame[] = [];
  readFrames(back, (frame) => read.push(frame));
  for (let at = 0; at < bytes.length; at += pieceBytes)
    back.emit("data", bytes.subarray(at, at + pieceBytes));
  return read;
}

/** All frames, through a reader. */
const through = (pieceBytes: number): Frame[] =>
  written((out) => {
    for (const { head, tensors } of frames) writeFrame(out, head, partsOf(tensors));
  }, pieceBytes);

const large = new Float32Array(30_000).map((_, index) => index);

describe("frames", () => {
  it("join parts, small or large", () => {
    for (const part of [Float32Array.of(1, 2), large]) {
      const parts = [part, Float32Array.of(3), part];
      const [frame] = written((out) =>
        writeFrame(out, null, [{ name: "x", datatype: "FP32", shape: [-1], parts }]),
      );
      const joined = [...part, 3, ...part];
      expect(Array.from(frame?.tensors[0]?.data as Float32Array)).toEqual(joined);
    }
  });

  it.each([
    ["a length beyond all limits", [255, 255, 255, 255, 0, 0, 0, 0]],
    ["words that are no JSON", [2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b]],
  ])("end the stream at %s", async (_, bytes) => {
    const stream = new Duplex({ read() {} });
    readFrames(stream, () => {
      throw new Error("no frame was expected");
    });
    const failed = new Promise((resolve) => stream.once("error", resolve));
    stream.emit("data", Buffer.from(bytes));
    expect(await failed).toBeInstanceOf(Error);
  });

  it("end the stream where there is no memory for what is claimed", async () => {
    const stream = new Duplex({ read() {} });
    readFrames(stream, () => {});
    const failed = new Promise((resolve) => stream.once("error", resolve));
    const claim = Buffer.alloc(8);
    claim.writeUInt32LE(2 ** 31, 4);
    const fails = class {
      constructor() {
        throw new RangeError("Array buffer allocation failed");
      }
    };
    vi.stubGlobal("ArrayBuffer", fails);
    try {
      stream.emit("data", claim);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(await failed).toBeInstanceOf(RangeError);
  });

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

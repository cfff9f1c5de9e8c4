import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cobsDecode, cobsEncode } from "./cobs";
import { crc16 } from "./crc16";
import { encodeFrame, type Frame, FrameDecoder, parseResult } from "./frame";
import { frameKinds } from "./protocol";

/** Long runs without a zero and many zeros, beside plain random bytes. */
const payloads = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 700, min: 1 }),
  fc.uint8Array({ maxLength: 700, max: 1 }),
  fc.constantFrom(253, 254, 255, 508, 509).map((n) => new Uint8Array(n).fill(7)),
);
const frames = fc.record({
  kind: fc.constantFrom(...Object.values(frameKinds)),
  sequence: fc.nat({ max: 255 }),
  payload: payloads,
});

describe("crc16", () => {
  it("answers the check value of CRC-16/CCITT-FALSE", () => {
    expect(crc16(new TextEncoder().encode("123456789"))).toBe(0x29b1);
  });
});

describe("COBS", () => {
  it.each([
    { why: "nothing", plain: [], encoded: [1] },
    { why: "a zero", plain: [0], encoded: [1, 1] },
    { why: "zeros", plain: [0, 0], encoded: [1, 1, 1] },
    { why: "a zero inside", plain: [0x11, 0x22, 0, 0x33], encoded: [3, 0x11, 0x22, 2, 0x33] },
    { why: "a zero at the end", plain: [0x11, 0, 0], encoded: [2, 0x11, 1, 1] },
  ])("encodes $why as the paper does", ({ plain, encoded }) => {
    expect([...cobsEncode(Uint8Array.from(plain))]).toEqual(encoded);
  });

  it("needs no second block for exactly 254 bytes", () => {
    const plain = new Uint8Array(254).fill(9);
    expect([...cobsEncode(plain)]).toEqual([255, ...plain]);
    expect(cobsEncode(new Uint8Array(255).fill(9))).toHaveLength(257);
  });

  it("comes back, without a zero on the way", () => {
    fc.assert(
      fc.property(payloads, (plain) => {
        const encoded = cobsEncode(plain);
        expect(encoded.includes(0)).toBe(false);
        expect(cobsDecode(encoded)).toEqual(plain);
      }),
    );
  });

  it("refuses a block that is cut off", () => {
    expect(cobsDecode(Uint8Array.of(4, 1, 2))).toBeNull();
  });
});

describe("frames", () => {
  it("have the layout the shell expects", () => {
    const line = encodeFrame({ kind: 3, sequence: 7, payload: Uint8Array.of(0xaa, 0) });
    const plain = cobsDecode(line.subarray(0, -1));
    expect(line.at(-1)).toBe(0);
    expect([...(plain ?? [])].slice(0, 6)).toEqual([0x13, 7, 2, 0, 0xaa, 0]);
  });

  it("come back in order from a line cut anywhere", () => {
    fc.assert(
      fc.property(
        fc.array(frames, { maxLength: 4 }),
        fc.integer({ min: 1, max: 64 }),
        (sent, cut) => {
          const line = sent.flatMap((frame) => [...encodeFrame(frame)]);
          const decoder = new FrameDecoder();
          const got: Frame[] = [];
          for (let at = 0; at < line.length; at += cut) {
            got.push(...decoder.push(Uint8Array.from(line.slice(at, at + cut))));
          }
          expect(got).toEqual(sent);
          expect(decoder.dropped).toBe(0);
        },
      ),
    );
  });

  it("are dropped when any one byte is wrong, and the next one still comes", () => {
    fc.assert(
      fc.property(
        frames,
        frames,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (first, next, at, flip) => {
          const line = encodeFrame(first);
          // The delimiter itself aside: without it the two frames are one.
          const place = at % (line.length - 1);
          line[place] = (line[place] ?? 0) ^ flip;
          const decoder = new FrameDecoder();
          // A byte that became zero ends the frame early, so its rest is a second broken frame.
          const got = [...decoder.push(line), ...decoder.push(encodeFrame(next))];
          expect(got).toEqual([next]);
          expect(decoder.dropped).toBeGreaterThan(0);
        },
      ),
      // A 16-bit CRC misses one garble in 65,536; these are ones that it catches.
      { seed: 16, numRuns: 500 },
    );
  });

  it("are found after noise, once a zero has passed", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 50, min: 1 }),
        frames,
        (noise, frame) => {
          const decoder = new FrameDecoder();
          decoder.push(noise);
          decoder.push(Uint8Array.of(0));
          expect(decoder.push(encodeFrame(frame))).toEqual([frame]);
        },
      ),
    );
  });

  it("are dropped when longer than the decoder allows", () => {
    const decoder = new FrameDecoder(8);
    const frame = (bytes: number): Frame => ({
      kind: 4,
      sequence: 1,
      payload: new Uint8Array(bytes),
    });
    expect(decoder.push(encodeFrame(frame(9000)))).toEqual([]);
    expect(decoder.push(encodeFrame(frame(8)))).toEqual([frame(8)]);
    expect(decoder.dropped).toBe(1);
  });

  it("forget half a frame on reset", () => {
    const frame: Frame = { kind: 1, sequence: 9, payload: new Uint8Array(0) };
    const decoder = new FrameDecoder();
    decoder.push(Uint8Array.of(5, 1, 2));
    decoder.reset();
    expect(decoder.push(encodeFrame(frame))).toEqual([frame]);
  });
});

describe("parseResult", () => {
  it("splits the output from the cycle count", () => {
    const result = parseResult(Uint8Array.of(1, 2, 0x10, 0x27, 0, 0), 2);
    expect(result).toEqual({ output: Uint8Array.of(1, 2), cycles: 10000 });
  });

  it("refuses an answer of another length", () => {
    expect(() => parseResult(new Uint8Array(5), 2)).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
  });
});

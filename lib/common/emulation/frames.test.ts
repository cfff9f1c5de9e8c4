import { describe, expect, it } from "vitest";
import { questionOf, ReplyReader, requireGreeting } from ".";

function replyOf(kind: number, payload: Uint8Array, nanoseconds = 7n): Uint8Array {
  const frame = new Uint8Array(16 + payload.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, payload.length, true);
  view.setBigUint64(8, nanoseconds, true);
  frame.set(payload, 16);
  return frame;
}

const sizes = (...values: number[]) => new Uint8Array(Uint32Array.from(values).buffer);

describe("frames of an emulation", () => {
  it("ask with a length before the rows", () => {
    expect([...questionOf(Uint8Array.of(9, 8))]).toEqual([2, 0, 0, 0, 9, 8]);
  });

  it.each([1, 3, 16, 17, 1000])("are read though they come %i bytes at a time", (size) => {
    const payloads = [sizes(4, 3), new Uint8Array(), new Uint8Array(300).fill(5)];
    const bytes = Buffer.concat(payloads.map((payload, kind) => replyOf(2 - kind, payload)));
    const reader = new ReplyReader();
    const replies = [];
    for (let at = 0; at < bytes.length; at += size)
      replies.push(...reader.push(new Uint8Array(bytes.subarray(at, at + size))));
    expect(replies.map(({ kind, payload }) => [kind, [...payload]])).toEqual(
      payloads.map((payload, kind) => [2 - kind, [...payload]]),
    );
    expect(replies[0]?.computeNs).toBe(7);
    expect(reader.isWithin).toBe(false);
  });

  it("are refused where a program writes something else", () => {
    const text = new TextEncoder().encode("Segmentation fault (core dumped)");
    expect(() => new ReplyReader().push(text)).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
    const [greeting] = new ReplyReader().push(replyOf(2, sizes(4, 3)));
    if (!greeting) throw new Error("no greeting");
    requireGreeting(greeting, { inputs: 4, outputs: 3 });
    expect(() => requireGreeting(greeting, { inputs: 4, outputs: 2 })).toThrow(/answer 2/);
  });
});

import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ByteBudget } from "../../intake";
import { MessageReader, prefixOf, type RawMessage, unpacked } from "./messages";
import { timeoutMs } from "./timeout";

const maxBytes = 1000;
const budget = new ByteBudget();
const open = () => budget.open("me");

function read(bytes: Buffer, pieceBytes: number): RawMessage[] {
  const messages: RawMessage[] = [];
  const reader = new MessageReader({
    maxBytes,
    encoding: undefined,
    open,
    onMessage: (message) => messages.push(message),
  });
  for (let at = 0; at < bytes.length; at += pieceBytes)
    reader.take(bytes.subarray(at, at + pieceBytes));
  expect(reader.isWhole).toBe(true);
  return messages;
}

const framed = (message: Buffer): Buffer => Buffer.concat([prefixOf(message), message]);

describe("a stream of bytes", () => {
  const texts = ["", "a", "hello", "x".repeat(900)];
  const bytes = Buffer.concat(texts.map((text) => framed(Buffer.from(text))));

  it.each([1, 2, 5, 7, 100_000])("is cut into messages, from pieces of %i bytes", (pieceBytes) => {
    expect(read(bytes, pieceBytes).map(({ bytes: each }) => each.toString())).toEqual(texts);
  });

  it("may not hold messages that are too large, packed or not", async () => {
    const reader = new MessageReader({ maxBytes, encoding: "gzip", open, onMessage: () => {} });
    const huge = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
    expect(() => reader.take(huge)).toThrow(expect.objectContaining({ reason: "BODY_TOO_LARGE" }));
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    await expect(
      unpacked({ packed: true, bytes: bomb, reservation: open() }, { encoding: "gzip", maxBytes }),
    ).rejects.toMatchObject({ reason: "BODY_TOO_LARGE" });
  });

  it("is refused when it is none", () => {
    const reader = new MessageReader({ maxBytes, encoding: undefined, open, onMessage: () => {} });
    expect(() => reader.take(Buffer.from([7, 0, 0, 0, 0]))).toThrow(/no.* gRPC message/);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("is unpacked from %s", async (encoding, pack) => {
    const packed = { packed: true, bytes: pack(Buffer.from("hello")), reservation: open() };
    expect(String(await unpacked(packed, { encoding, maxBytes }))).toBe("hello");
    const damaged = { packed: true, bytes: Buffer.from("hello"), reservation: open() };
    await expect(unpacked(damaged, { encoding, maxBytes })).rejects.toMatchObject({
      reason: "INFER_INVALID",
    });
  });
});

describe("a deadline", () => {
  it.each([
    ["1H", 3_600_000],
    ["2M", 120_000],
    ["3S", 3000],
    ["40m", 40],
    ["500u", 0.5],
    ["7n", 7e-6],
    ["123456789S", null],
    ["1x", null],
    ["-1S", null],
    [undefined, null],
  ])("%s is %s ms", (text, expected) => {
    const found = timeoutMs(text);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(expected, 9);
  });
});

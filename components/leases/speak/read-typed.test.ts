import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dumpOf } from "./dump-of";
import { readTyped } from "./read-typed";
import { fromBase64, toBase64 } from "./to-base64";

describe("what is typed into a console", () => {
  it.each([
    ["de ad,be:ef", [0xde, 0xad, 0xbe, 0xef]],
    ["0x01 0xFF\n00", [1, 255, 0]],
    ["", []],
  ])("is bytes in hexadecimal: %j", (text, bytes) => {
    expect(readTyped(text, "hex", "lf")).toEqual(Uint8Array.from(bytes));
  });

  it.each([
    ["xy", "notHex"],
    ["abc", "halfByte"],
    ["00".repeat(4097), "tooLong"],
  ])("or is none, and why: %.10s", (text, fault) => {
    expect(readTyped(text, "hex", "none")).toBe(fault);
  });

  it("is text with the end of line that was chosen", () => {
    expect(readTyped("é", "text", "crlf")).toEqual(Uint8Array.of(0xc3, 0xa9, 13, 10));
    expect(readTyped("x".repeat(4096), "text", "none")).toHaveLength(4096);
    expect(readTyped("x".repeat(4096), "text", "lf")).toBe("tooLong");
  });
});

describe("what passed on a line", () => {
  it("is shown in hexadecimal and as text without anything that acts", () => {
    const bytes = new TextEncoder().encode("\u001b[31m<b>\0");
    expect(dumpOf(bytes, 6)).toEqual(["1b 5b 33 31 6d 3c  ·[31m<", "62 3e 00           b>·"]);
  });

  it("comes through base64 as it was", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { ConnectionError } from "./errors";
import { HeaderReader, writeHeaders } from "./hpack";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

describe("header blocks", () => {
  it("are read as RFC 7541 C.4 shows, with a table that grows", () => {
    const reader = new HeaderReader();
    const get = [":method", "GET"];
    const host = [":authority", "www.example.com"];
    const first = [get, [":scheme", "http"], [":path", "/"], host];
    expect(reader.read(bytes("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"))).toEqual(first);
    const second = [...first, ["cache-control", "no-cache"]];
    expect(reader.read(bytes("8286 84be 5886 a8eb 1064 9cbf"))).toEqual(second);
    const block = bytes("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
    expect(reader.read(block)).toEqual([
      get,
      [":scheme", "https"],
      [":path", "/index.html"],
      host,
      ["custom-key", "custom-value"],
    ]);
  });

  it("that repeat themselves mean what the table says now", () => {
    const reader = new HeaderReader();
    reader.read(bytes("40 01 61 01 31"));
    const newest = bytes("be");
    expect(reader.read(newest)).toEqual([["a", "1"]]);
    expect(reader.read(newest)).toEqual([["a", "1"]]);
    reader.read(bytes("40 01 61 01 32"));
    expect(reader.read(newest)).toEqual([["a", "2"]]);
  });

  it("forget the oldest fields when the table is full", () => {
    const reader = new HeaderReader();
    const value = "v".repeat(126);
    const kept = Buffer.concat([bytes("40 01 61 7e"), Buffer.from(value)]);
    for (let n = 0; n < 30; n++) reader.read(kept);
    // 4,096 bytes hold 25 fields of 1 + 126 + 32.
    expect(reader.read(bytes("d6"))).toEqual([["a", value]]);
    expect(() => reader.read(bytes("d7"))).toThrow(ConnectionError);
  });

  it.each([
    ["names a field that is not there", "fe"],
    ["names field 0", "80"],
    ["is cut off in a text", "40 01 61 05 61"],
    ["is cut off in a number", "ff"],
    ["has a number without end", "ff ff ff ff ff ff ff 01"],
    ["has a text that pads with zeros", "40 01 61 81 00"],
    ["has a text that pads with a byte", "40 01 61 82 1f ff"],
    ["makes the table larger than allowed", "3f e2 1f"],
    ["changes the table's size behind a field", "82 20"],
  ])("are refused when one %s", (_, hex) => {
    expect(() => new HeaderReader().read(bytes(hex))).toThrow(ConnectionError);
  });

  it("are read back as they were written", () => {
    const fields = [
      [":status", "200"],
      ["grpc-message", "x".repeat(1000)],
    ] as const;
    expect(new HeaderReader().read(writeHeaders(fields))).toEqual(fields);
  });
});

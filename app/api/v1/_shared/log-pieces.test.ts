import { describe, expect, it } from "vitest";
import { LogPiece, LogPieces } from "./log-pieces";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = ["a;", "bb;", "ccc;"].map(encode);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("a piece of a log", () => {
  it("gives the lines behind any of its own", () => {
    const piece = new LogPiece(501, lines);
    expect([500, 501, 502, 503].map((n) => text(piece.after(n)))).toEqual([
      "a;bb;ccc;",
      "bb;ccc;",
      "ccc;",
      "",
    ]);
    expect(piece.last).toBe(503);
  });

  it("may hold none", () => {
    const piece = new LogPiece(501, []);
    expect([piece.last, text(piece.after(500)), text(piece.after(700))]).toEqual([500, "", ""]);
  });
});

describe("pieces that are kept", () => {
  it("are those asked for last, within their bytes", () => {
    const pieces = new LogPieces(20);
    const [one, two, three] = [1, 2, 3].map(() => new LogPiece(1, lines)) as [
      LogPiece,
      LogPiece,
      LogPiece,
    ];
    pieces.keep("one", one);
    pieces.keep("two", two);
    expect(pieces.get("one")).toBe(one);
    pieces.keep("three", three);
    expect([pieces.get("one"), pieces.get("two"), pieces.get("three")]).toEqual([
      one,
      undefined,
      three,
    ]);
  });
});

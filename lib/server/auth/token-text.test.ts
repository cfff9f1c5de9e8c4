import { describe, expect, it } from "vitest";
import { digestOfToken, makeTokenText, shownToken } from "./token-text";

describe("the text of a token", () => {
  it("is found again by its digest, and differs each time", () => {
    const made = Array.from({ length: 200 }, () => makeTokenText("api"));
    expect(new Set(made.map(({ text }) => text)).size).toBe(200);
    for (const { text, digest, ending } of made) {
      expect(text).toMatch(/^bw_api_[0-9A-Za-z]{49}$/);
      expect(text.endsWith(ending)).toBe(true);
      expect(digestOfToken(text)?.equals(digest)).toBe(true);
    }
  });

  it("is none with any one character changed, cut off or added", () => {
    const { text } = makeTokenText("api");
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === "x" ? "y" : "x";
      expect(digestOfToken(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      expect(digestOfToken(text.slice(0, at))).toBeNull();
    }
    for (const more of ["0", " ", "\n", "\0"]) expect(digestOfToken(text + more)).toBeNull();
    expect(digestOfToken(text.replace("bw_api_", "bw_root_"))).toBeNull();
  });

  it.each([
    ["Bearer bw_abc", "bw_abc"],
    ["bearer  bw_abc", "bw_abc"],
    ["Basic bw_abc", undefined],
    ["Bearer abc", undefined],
    ["Bearer bw_a b", undefined],
    ["Bearer ", undefined],
    ["Bearer bw_é", undefined],
    [null, undefined],
  ])("of the header %j is %j", (header, text) => {
    expect(shownToken(header)).toBe(text);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "./scan-json";

const parse = (text: string) => parseStrictJson(new TextEncoder().encode(text));
const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")}}`;

describe("strict JSON", () => {
  it("reads what JSON.parse reads", () => {
    const plain = fc.jsonValue({ maxDepth: 6 }).filter((value) => {
      const text = JSON.stringify(value);
      return !/"(__proto__|constructor|prototype)":/.test(text) && !/\d{16}/.test(text);
    });
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it("refuses whatever JSON.parse refuses, and never with another kind of error", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0x1",
      "tru",
      "null",
      " ",
      "\\",
      "1e9999",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        let judge = true;
        try {
          JSON.parse(text);
        } catch {
          judge = false;
        }
        try {
          parse(text);
          expect(judge).toBe(true);
        } catch (error) {
          expect(error).toHaveProperty("name", "AppError");
          if (!judge) expect(error).toHaveProperty("reason");
        }
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["", "INVALID_JSON", "nothing"],
    ["  ", "INVALID_JSON", "blanks"],
    ["{a:1}", "INVALID_JSON", "no quotes"],
    ['{"a":1,}', "INVALID_JSON", "trailing comma"],
    ["[1,]", "INVALID_JSON", "trailing comma in a list"],
    ["{} {}", "INVALID_JSON", "two values"],
    ["\ufeff{}", "INVALID_JSON", "byte order mark"],
    ["NaN", "INVALID_JSON", "no JSON number"],
    ["'a'", "INVALID_JSON", "single quotes"],
    ['"a\nb"', "INVALID_JSON", "a raw newline"],
    [`${"[".repeat(65)}${"]".repeat(65)}`, "JSON_TOO_COMPLEX", "65 levels"],
    ["[".repeat(100_000), "JSON_TOO_COMPLEX", "100,000 levels"],
    [keys(10_001), "JSON_TOO_COMPLEX", "10,001 keys"],
    [`[${"0,".repeat(100_000)}0]`, "JSON_TOO_COMPLEX", "too many values"],
    ['{"a":1,"a":2}', "DUPLICATE_KEY", "twice"],
    ['{"a":1,"\\u0061":2}', "DUPLICATE_KEY", "twice, once escaped"],
    ['{"x":{"__proto__":1}}', "FORBIDDEN_KEY", "proto"],
    ['{"\\u005f_proto__":1}', "FORBIDDEN_KEY", "proto, escaped"],
    ['{"constructor":1}', "FORBIDDEN_KEY", "constructor"],
    ['{"a":1e999}', "NUMBER_OUT_OF_RANGE", "infinite"],
    ['{"a":9007199254740993}', "NUMBER_OUT_OF_RANGE", "not exact"],
  ])("answers %.30j with %s (%s)", (text, reason) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ reason }));
  });

  it.each([
    ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
    ["broken UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ])("refuses %s", (_why, bytes) => {
    expect(() => parseStrictJson(bytes)).toThrow(
      expect.objectContaining({ reason: "INVALID_JSON" }),
    );
  });

  it("takes 64 levels", () => {
    expect(() => parse(`${"[".repeat(64)}${"]".repeat(64)}`)).not.toThrow();
  });
});

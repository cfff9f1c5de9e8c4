import { describe, expect, it } from "vitest";
import { hasKey, isRecord, keysOf, recordOf } from ".";

describe("records", () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ["text", false],
    [undefined, false],
  ])("knows %j for what it is", (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });

  it("does not take for a key what every object inherits", () => {
    expect(hasKey({ a: 1 }, "a")).toBe(true);
    expect(hasKey({ a: 1 }, "toString")).toBe(false);
    expect(hasKey({ a: 1 }, "__proto__")).toBe(false);
  });

  it("makes a table of names and gives its names back in their order", () => {
    const lengths = recordOf(["three", "a", "to"], (key) => key.length);
    expect(lengths).toEqual({ three: 5, a: 1, to: 2 });
    expect(keysOf(lengths)).toEqual(["three", "a", "to"]);
  });
});

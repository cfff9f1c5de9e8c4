import { describe, expect, it } from "vitest";
import { formatLineRange, parseLineRange } from "./line-range";

describe("line links", () => {
  it.each([
    ["#L120", { first: 120, last: 120 }],
    ["#L120-L140", { first: 120, last: 140 }],
    ["#L140-L120", { first: 120, last: 140 }],
    ["#L12-14", { first: 12, last: 14 }],
  ])("reads %s", (hash, range) => {
    expect(parseLineRange(hash)).toEqual(range);
  });

  it.each(["", "#", "#L0", "#Lx", "#stages"])("finds no line in %j", (hash) => {
    expect(parseLineRange(hash)).toBeNull();
  });

  it("writes what it reads", () => {
    expect(formatLineRange({ first: 3, last: 3 })).toBe("#L3");
    expect(parseLineRange(formatLineRange({ first: 3, last: 9 }))).toEqual({ first: 3, last: 9 });
  });
});

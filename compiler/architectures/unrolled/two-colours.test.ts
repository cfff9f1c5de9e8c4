import { describe, expect, it } from "vitest";
import { twoColours, type Wish } from "./two-colours";

const wish = (one: number, other: number, differ: boolean, cost = 1): Wish => ({
  one,
  other,
  differ,
  cost,
});

describe("two colours", () => {
  it("meet all wishes that go together, through any number of nodes", () => {
    expect(twoColours(4, [wish(0, 1, true), wish(1, 2, false), wish(2, 3, true)])).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("give up the cheapest wish where not all can be met", () => {
    const sumAndDifference = [wish(1, 2, false, 3), wish(1, 2, true, 8), wish(0, 1, true, 5)];
    expect(twoColours(3, sumAndDifference)).toEqual([false, true, false]);
  });

  it("turn a node when many cheap wishes weigh more than the dear one", () => {
    const wishes = [wish(0, 1, false, 3), wish(0, 2, false, 9), wish(0, 3, false, 9)];
    expect(twoColours(4, [...wishes, wish(1, 2, true, 2), wish(1, 3, true, 2)])[1]).toBe(true);
  });
});

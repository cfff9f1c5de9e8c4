import { describe, expect, it } from "vitest";
import { linearAxis } from "./linear-axis";

describe("a linear axis", () => {
  it.each<[readonly number[], readonly number[]]>([
    [
      [-1, 1],
      [-1, -0.5, 0, 0.5, 1],
    ],
    [
      [-0.9, 2.3],
      [0, 1, 2],
    ],
    [
      [-127, 127],
      [-100, -50, 0, 50, 100],
    ],
  ])("of %j has ticks at %j", (values, ticks) => {
    expect(linearAxis(values).ticks.map((tick) => Number(tick.toFixed(6)) || 0)).toEqual(ticks);
  });

  it("begins at the least value and ends at the greatest", () => {
    const { at } = linearAxis([3, -1, 7]);
    expect([at(-1), at(3), at(7)]).toEqual([0, 50, 100]);
  });

  it("has room for values that are all the same", () => {
    expect(linearAxis([2, 2]).at(2)).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { depthOf, planLevels } from "./plan-levels";

describe("the levels of rows", () => {
  it("sums every row as early as its digits and its constant allow where the next layer waits for it", () => {
    // Four values, a digit each: 4 · 2^(level + 1) and the constant.
    const next = { digits: [[1, 1, 1, 1]], after: 1 };
    expect(planLevels([7, 7, 7, 7], 1, [next])).toEqual([3, 3, 3, 3]);
    expect(planLevels([7, 8, 7, 7], 1, [next])).toEqual([4, 4, 4, 3]);
  });

  it("lets the fullest rows be late as far as the rest makes up for it", () => {
    // The second row needs level 3. All by then are 4 · 2^4 + 1, one level more than three early ones of level 2 and it.
    const next = { digits: [[1, 1, 1, 1]], after: 1 };
    expect(depthOf([3, 3, 3, 3], 1, [next])).toBe(7);
    const levels = planLevels([3, 4, 2, 3], 1, [next]);
    expect(levels).toEqual([3, 3, 2, 3]);
    expect(depthOf(levels, 1, [next])).toBe(depthOf([2, 3, 2, 2], 1, [next]));
  });

  it("sums the scores at one level, and does not wait for rows of zeros", () => {
    expect(planLevels([3, 4, 9], 1, [])).toEqual([4, 4, 4]);
    expect(depthOf([0, 5], 1, [{ digits: [[7, 1]], after: 1 }])).toBe(7);
  });
});

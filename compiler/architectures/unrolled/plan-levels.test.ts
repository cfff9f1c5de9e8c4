import { describe, expect, it } from "vitest";
import { depthOf, planLevels } from "./plan-levels";

/** Constants take an adder, and a clamp stands behind the sums. */
const layer = { constant: 1, after: 1 };

describe("the levels of rows", () => {
  it("sums every row as early as its digits and its constant allow where the next layer waits for it", () => {
    // Four values, a digit each: 4 · 2^(level + 1) and the constant.
    const next = { digits: [[1, 1, 1, 1]], after: 1 };
    expect(planLevels([7, 7, 7, 7], layer, [next])).toEqual([3, 3, 3, 3]);
    expect(planLevels([7, 8, 7, 7], layer, [next])).toEqual([4, 4, 4, 3]);
  });

  it("lets the fullest rows be late as far as the rest makes up for it", () => {
    // The second row needs level 3. All by then are 4 · 2^4 + 1, one level more than three early ones of level 2 and it.
    const next = { digits: [[1, 1, 1, 1]], after: 1 };
    expect(depthOf([3, 3, 3, 3], layer, [next])).toBe(7);
    const levels = planLevels([3, 4, 2, 3], layer, [next]);
    expect(levels).toEqual([3, 3, 2, 3]);
    expect(depthOf(levels, layer, [next])).toBe(depthOf([2, 3, 2, 2], layer, [next]));
  });

  it("needs no level for constants that carry chains take", () => {
    const next = { digits: [[1, 1, 1, 1]], after: 1 };
    const free = { constant: 0, after: 1 };
    expect(planLevels([8, 8, 8, 8], free, [next])).toEqual([3, 3, 3, 3]);
    expect(depthOf([3, 3, 3, 3], free, [next])).toBe(6);
  });

  it("sums the scores at one level, and does not wait for rows of zeros", () => {
    expect(planLevels([3, 4, 9], layer, [])).toEqual([4, 4, 4]);
    expect(depthOf([0, 5], layer, [{ digits: [[7, 1]], after: 1 }])).toBe(7);
  });
});

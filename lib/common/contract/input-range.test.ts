import { describe, expect, it } from "vitest";
import { cardSaysRange, inputRangeSchema, isRangeAssumed, rangeOfEach } from "./input-range";

describe("the range of a request", () => {
  it.each([
    { min: 0, max: 16 },
    { min: [0, 0], max: [0, 16] },
    { min: 0, max: [1, 2] },
  ])("takes $min to $max", (range) => {
    expect(inputRangeSchema.parse(range)).toEqual(range);
  });

  it.each([
    [{ min: 0 }, "max"],
    [{ min: 0, max: "1" }, "max"],
    [{ min: 0, max: Number.NaN }, "max"],
    [{ min: 1e39, max: 2e39 }, "min"],
    [{ min: 1, max: 0 }, "max"],
    [{ min: 0, max: 0 }, "max"],
    [{ min: [0, 2, 0], max: [1, 1, 1] }, "max.1"],
    [{ min: [0, 0], max: [1, 1, 1] }, "max"],
    [{ min: [], max: [] }, "min"],
    [{ min: 0, max: 1, mean: 0 }, ""],
  ])("refuses %j at %j", (range, field) => {
    const [issue] = inputRangeSchema.safeParse(range).error?.issues ?? [];
    expect(issue?.path.join(".")).toBe(field);
  });

  it("says one number for each input", () => {
    expect(rangeOfEach({ min: 0, max: [1, 2] }, 2)).toEqual({ min: [0, 0], max: [1, 2] });
  });
});

describe("what is known of a range", () => {
  it.each([
    [{ min: [0], max: [1] }, true],
    [{ mean: [0], std: [1] }, true],
    [{ min: [0], std: [1] }, false],
    [undefined, false],
  ])("by the card %j is enough: %s", (inputRange, says) => {
    expect(cardSaysRange({ inputRange })).toBe(says);
  });

  it("is an assumption where the scaling says so", () => {
    expect(isRangeAssumed({ scaledBy: "assumed: mean 0, deviation 1" })).toBe(true);
    expect(isRangeAssumed({ scaledBy: "range of the model card" })).toBe(false);
  });
});

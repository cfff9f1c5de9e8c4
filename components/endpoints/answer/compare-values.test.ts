import { describe, expect, it } from "vitest";
import { compareValues } from "./compare-values";

const answer = (values: readonly (number | string)[], best: number | null = null) => ({
  best,
  words: "",
  score: null,
  values,
});

describe("two answers to one row", () => {
  it("differ by their largest distance, and in their class", () => {
    const compared = compareValues(answer([1.5, -2, 0], 0), answer([1.25, -2.5, 0], 0));
    expect(compared).toMatchObject({ largest: 0.5, sameClass: true });
    expect(compared.values.map(({ difference }) => difference)).toEqual([0.25, 0.5, 0]);
    expect(compareValues(answer([1], 0), answer([1], 1)).sameClass).toBe(false);
  });

  it("say nothing of a distance where there is none", () => {
    const compared = compareValues(answer(["NaN", "Infinity", "a"]), answer(["NaN", 1, "b"]));
    expect(compared.values.map(({ difference }) => difference)).toEqual([0, null, null]);
    expect(compared.sameClass).toBeNull();
    expect(compareValues(answer([1, 2]), answer([1])).values[1]).toMatchObject({ float: "–" });
  });
});

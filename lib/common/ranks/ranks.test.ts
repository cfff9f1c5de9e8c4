import { describe, expect, it } from "vitest";
import { encodeRanks, type FeatureRanks, rankBytes, rankOf, valueOfRank } from ".";

const ranks = (thresholds: readonly number[], missing = false): FeatureRanks => ({
  thresholds,
  missing,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("the rank of a value", () => {
  const third = Math.fround(1 / 3);
  it.each([
    { value: -1, rank: 0, why: "below all" },
    { value: 0, rank: 1, why: "equal to a threshold has reached it" },
    { value: -0, rank: 1, why: "minus zero equals zero" },
    { value: third, rank: 2, why: "equal in float32" },
    { value: 1 / 3, rank: 2, why: "equal once it is rounded to float32" },
    { value: 0.3333333, rank: 1, why: "the float32 below" },
    { value: 7, rank: 3, why: "past all" },
    { value: Number.POSITIVE_INFINITY, rank: 3, why: "infinity is past all" },
    { value: Number.NEGATIVE_INFINITY, rank: 0, why: "minus infinity is below all" },
    { value: 1e39, rank: 3, why: "beyond float32 it is infinity" },
    { value: Number.NaN, rank: 3, why: "a missing value holds in no comparison" },
  ])("of $value is $rank: $why", ({ value, rank }) => {
    expect(rankOf(value, ranks([0, third, 2]))).toBe(rank);
  });

  it("tells denormal neighbours apart", () => {
    const smallest = 2 ** -149;
    expect(rankOf(0, ranks([smallest]))).toBe(0);
    expect(rankOf(smallest, ranks([smallest]))).toBe(1);
    expect(rankOf(-smallest, ranks([0]))).toBe(0);
  });

  it("is a comparison of floats, for every threshold and any value", () => {
    const thresholds = [-3.5, -0.1, 0.1, 0.7, 12].map(Math.fround);
    const values = thresholds.flatMap((each) => [each, each - 1e-3, each + 1e-3]);
    for (const value of values) {
      for (const [index, threshold] of thresholds.entries()) {
        const holds = Math.fround(value) < threshold;
        expect(rankOf(value, ranks(thresholds)) <= index).toBe(holds);
      }
    }
  });

  it.each([
    { count: 0, missing: false, bytes: 0 },
    { count: 255, missing: false, bytes: 1 },
    { count: 254, missing: true, bytes: 1 },
    { count: 255, missing: true, bytes: 2 },
    { count: 256, missing: false, bytes: 2 },
  ])("takes $bytes bytes for $count thresholds, missing $missing", ({ count, missing, bytes }) => {
    expect(rankBytes(ranks(many(count), missing))).toBe(bytes);
  });

  it("gives missing values a code that no value has", () => {
    expect(rankOf(Number.NaN, ranks(many(254), true))).toBe(255);
    expect(rankOf(1e9, ranks(many(254), true))).toBe(254);
    expect(rankOf(Number.NaN, ranks(many(255), true))).toBe(65_535);
  });

  it("is sent low byte first, and features that nothing looks at are not sent", () => {
    const features = [ranks([1, 2]), ranks([]), ranks(many(300))];
    expect([...encodeRanks([1.5, 9, 299], features)]).toEqual([1, 300 & 255, 1]);
  });

  it.each([ranks([-5, 0, 0.1, 1e30].map(Math.fround)), ranks([3], true), ranks([-1e38])])(
    "has a value for each of %j",
    (each) => {
      for (let rank = 0; rank <= each.thresholds.length; rank++) {
        expect(rankOf(valueOfRank(rank, each), each)).toBe(rank);
      }
      if (each.missing) expect(valueOfRank(255, each)).toBeNaN();
      expect(rankOf(valueOfRank(200, each), each)).toBe(each.thresholds.length);
    },
  );
});

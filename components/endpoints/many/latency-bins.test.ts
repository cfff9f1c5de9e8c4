import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latencyBins, percentileOf } from "./latency-bins";

describe("a histogram of times", () => {
  it("counts each time once, in the bar that holds it", () => {
    const times = fc.array(fc.integer({ min: 1, max: 1e10 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(times, (list) => {
        const bins = latencyBins(list);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(list.length);
        for (const { fromNs, toNs, count } of bins) {
          const inside = list.filter((ns) => ns >= fromNs * (1 - 1e-6) && ns < toNs * (1 + 1e-6));
          expect(inside.length).toBeGreaterThanOrEqual(count);
        }
      }),
    );
  });

  it("has ten bars to a factor of ten", () => {
    expect(latencyBins([1000, 9_999])).toHaveLength(10);
    expect(latencyBins([])).toEqual([]);
  });

  it("knows its percentiles by nearest rank", () => {
    const times = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([0.5, 0.9, 0.99, 1].map((share) => percentileOf(times, share))).toEqual([
      50, 90, 99, 100,
    ]);
    expect(percentileOf([7], 0.5)).toBe(7);
    expect(percentileOf([], 0.5)).toBeNull();
  });
});

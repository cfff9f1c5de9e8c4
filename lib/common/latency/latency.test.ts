import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addLatencies, bucketFromUs, bucketOf, latencyBuckets, quantileUs } from "./index";

const countsOf = (times: readonly number[]) =>
  addLatencies(times.map((us) => ({ [bucketOf(us)]: 1 })));

describe("a bucket", () => {
  it.each([
    { us: 0, bucket: 0 },
    { us: 9.99, bucket: 0 },
    { us: 10, bucket: 1 },
    { us: 20, bucket: 9 },
    { us: 200e6, bucket: latencyBuckets - 1 },
    { us: Number.NaN, bucket: 0 },
  ])("of $us µs is $bucket", ({ us, bucket }) => {
    expect(bucketOf(us)).toBe(bucket);
  });

  it("holds the times from its own bound to the next", () => {
    fc.assert(
      fc.property(fc.double({ min: 10, max: 160e6, noNaN: true }), (us) => {
        const bucket = bucketOf(us);
        expect(us).toBeGreaterThanOrEqual(bucketFromUs(bucket) * 0.999999);
        expect(us).toBeLessThan(bucketFromUs(bucket + 1) * 1.000001);
      }),
    );
  });
});

describe("a quantile", () => {
  it("is that of the sorted times, to the width of a bucket", () => {
    const time = fc.double({ min: 20, max: 1e7, noNaN: true });
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 200 }), (times) => {
        const sorted = [...times].sort((a, b) => a - b);
        for (const share of [0.5, 0.9, 0.99, 0.999]) {
          const exact = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
          const told = quantileUs(countsOf(times), share) ?? 0;
          expect(told).toBeGreaterThanOrEqual(exact / 1.1);
          expect(told).toBeLessThanOrEqual(exact * 1.1);
        }
      }),
    );
  });

  it("of two histograms together is that of all times", () => {
    const all = countsOf([100, 200, 300, 4000]);
    expect(addLatencies([countsOf([100, 4000]), countsOf([200, 300])])).toEqual(all);
    expect(quantileUs({}, 0.5)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { pointBetween, quantileS, type Sample } from "./points";

const boundsS = [0.001, 0.01, 0.1];
const sample = (change: Partial<Sample>): Sample => ({
  atMs: 0,
  successes: 0,
  failures: 0,
  rows: 0,
  calls: 0,
  waiting: 0,
  boundsS,
  counts: [0, 0, 0, 0],
  ...change,
});

describe("a quantile", () => {
  it("lies in the bucket that holds it, as far as its share reaches", () => {
    expect(quantileS(boundsS, [10, 0, 0, 0], 0.5)).toBeCloseTo(0.0005);
    expect(quantileS(boundsS, [5, 5, 0, 0], 0.75)).toBeCloseTo(0.0055);
    expect(quantileS(boundsS, [0, 0, 0, 4], 0.99)).toBe(0.1);
    expect(quantileS(boundsS, [0, 0, 0, 0], 0.5)).toBeNull();
  });
});

describe("what happened between two samples", () => {
  it("is rates, percentiles and rows of a call", () => {
    const before = sample({
      atMs: 1000,
      successes: 10,
      rows: 10,
      calls: 10,
      counts: [10, 0, 0, 0],
    });
    const after = sample({
      atMs: 3000,
      successes: 50,
      failures: 4,
      rows: 90,
      calls: 20,
      counts: [10, 40, 0, 0],
    });
    const point = pointBetween(before, after);
    expect(point).toMatchObject({ perSecond: 20, failuresPerSecond: 2, rowsPerCall: 8 });
    expect(point?.p50Ms).toBeCloseTo(5.5);
  });

  it("cannot be told when the counts began anew", () => {
    expect(pointBetween(sample({ successes: 9 }), sample({ atMs: 1000 }))).toBeNull();
  });

  it("has no percentiles where nothing was answered", () => {
    expect(pointBetween(sample({}), sample({ atMs: 1000 }))).toMatchObject({
      perSecond: 0,
      p99Ms: null,
      rowsPerCall: null,
    });
  });
});

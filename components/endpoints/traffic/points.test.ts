import { describe, expect, it } from "vitest";
import { quantileS, recentTraffic } from "./points";
import { type ModelStatistics, modelStatisticsSchema } from "./statistics";

const boundsS = [0.001, 0.01, 0.1];

describe("a quantile", () => {
  it("lies in the bucket that holds it, as far as its share reaches", () => {
    expect(quantileS(boundsS, [10, 0, 0, 0], 0.5)).toBeCloseTo(0.0005);
    expect(quantileS(boundsS, [5, 5, 0, 0], 0.75)).toBeCloseTo(0.0055);
    expect(quantileS(boundsS, [0, 0, 0, 4], 0.99)).toBe(0.1);
    expect(quantileS(boundsS, [0, 0, 0, 0], 0.5)).toBeNull();
  });
});

const none = { count: 0, ns: 0 };
const slot = (ago: number, more: object = {}) => ({
  ago,
  success: 0,
  fail: 0,
  rows: 0,
  calls: 0,
  counts: [0, 0, 0, 0],
  ...more,
});
const version = (known: number, slots: readonly object[]): ModelStatistics =>
  modelStatisticsSchema.parse({
    name: "m",
    version: "1",
    last_inference: 0,
    inference_count: 0,
    execution_count: 0,
    inference_stats: {
      success: none,
      fail: none,
      queue: none,
      compute_input: none,
      compute_infer: none,
    },
    batch_stats: [],
    request_duration_histogram: { bounds_seconds: boundsS, counts: [0, 0, 0, 0] },
    clipped_input_count: 0,
    memory_usage: [],
    pending_request_count: 0,
    recent: { slot_seconds: 2, known_slots: known, slots },
  });

describe("the last five minutes", () => {
  it("have a point for every slot that has ended, and count the one that fills", () => {
    const busy = { success: 60, fail: 4, rows: 80, calls: 10, counts: [30, 30, 0, 0] };
    const traffic = recentTraffic([
      version(4, [slot(2, busy), slot(0, { success: 1, counts: [1, 0, 0, 0] })]),
    ]);
    expect(traffic).toMatchObject({ seconds: 8, answered: 61, failed: 4 });
    expect(traffic.points).toHaveLength(3);
    const [before, then, after] = traffic.points;
    expect(then).toMatchObject({ perSecond: 30, failuresPerSecond: 2, rowsPerCall: 8 });
    expect(then?.p50Ms).toBeCloseTo(1);
    for (const quiet of [before, after])
      expect(quiet).toMatchObject({ perSecond: 0, p99Ms: null, rowsPerCall: null });
  });

  it("are those of all versions together", () => {
    const one = slot(1, { success: 2, rows: 2, calls: 2, counts: [2, 0, 0, 0] });
    const traffic = recentTraffic([version(9, [one]), version(3, [one])]);
    expect(traffic).toMatchObject({ seconds: 18, answered: 4 });
    expect(traffic.points.at(-1)).toMatchObject({ perSecond: 2, rowsPerCall: 1 });
  });

  it("are empty of an endpoint that has no version", () => {
    expect(recentTraffic([])).toMatchObject({ points: [], seconds: 0, answered: 0, p50Ms: null });
  });
});

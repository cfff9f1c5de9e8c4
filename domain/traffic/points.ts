import type { TimeShare, Traffic, TrafficPoint } from "@/lib/common/contract";
import {
  addLatencies,
  bucketFromUs,
  type LatencyCounts,
  latencySteps,
  quantileUs,
} from "@/lib/common/latency";
import type { TrafficCounts } from "./types";
import { floorTo, type Window } from "./window";

/** What is stored of a minute or an hour of a revision. */
export interface CountedRow extends TrafficCounts {
  readonly atMs: number;
  readonly revision: number;
}

/** Sums of rows, with the quantiles of all of them. */
export function totalOf(rows: readonly TrafficCounts[]) {
  const latency = addLatencies(rows.map((row) => row.latency));
  return {
    requests: sumOf(rows, "requests"),
    clientErrors: sumOf(rows, "clientErrors"),
    serverErrors: sumOf(rows, "serverErrors"),
    rows: sumOf(rows, "rows"),
    ...quantilesOf(latency),
  };
}

/** Where the time of the answered requests went, in the mean; null where none was. */
export function timeShareOf(rows: readonly TrafficCounts[]): TimeShare | null {
  const answered =
    sumOf(rows, "requests") - sumOf(rows, "clientErrors") - sumOf(rows, "serverErrors");
  if (answered <= 0) return null;
  const mean = (name: "totalUs" | "queueUs" | "linkUs" | "hostUs" | "computeUs") =>
    sumOf(rows, name) / answered / 1000;
  const [queueMs, linkMs, hostMs, computeMs] = [
    mean("queueUs"),
    mean("linkUs"),
    mean("hostUs"),
    mean("computeUs"),
  ];
  const gatewayMs = Math.max(0, mean("totalUs") - queueMs - linkMs - hostMs - computeMs);
  return { queueMs, linkMs, hostMs, computeMs, gatewayMs };
}

/** The buckets of all rows that hold something. */
export function histogramOf(rows: readonly TrafficCounts[]): Traffic["histogram"] {
  return latencySteps(addLatencies(rows.map(({ latency }) => latency))).map(
    ({ bucket, count }) => ({
      fromMs: bucketFromUs(bucket) / 1000,
      toMs: bucketFromUs(bucket + 1) / 1000,
      count,
    }),
  );
}

/**
 * A point for each step of a window.
 *
 * @param countedMs How many milliseconds of the step that begins at a moment were counted.
 */
export function pointsOf(
  rows: readonly CountedRow[],
  { fromMs, toMs, stepMs }: Window,
  countedMs: ReadonlyMap<number, number>,
): TrafficPoint[] {
  const byStep = groupBy(rows, ({ atMs }) => floorTo(atMs, stepMs));
  const count = Math.ceil((toMs - fromMs) / stepMs);
  return Array.from({ length: count }, (_, index) => {
    const atMs = fromMs + index * stepMs;
    const total = totalOf(byStep.get(atMs) ?? []);
    const seconds = (countedMs.get(atMs) ?? 0) / 1000;
    return {
      at: new Date(atMs).toISOString(),
      seconds,
      perSecond: seconds > 0 ? total.requests / seconds : null,
      ...total,
    };
  });
}

type Sum = Exclude<keyof TrafficCounts, "latency">;

const sumOf = (rows: readonly TrafficCounts[], name: Sum): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

function quantilesOf(latency: LatencyCounts) {
  const ms = (share: number) => {
    const us = quantileUs(latency, share);
    return us === null ? null : us / 1000;
  };
  return { p50Ms: ms(0.5), p90Ms: ms(0.9), p99Ms: ms(0.99), p999Ms: ms(0.999) };
}

/** Items by what a function says of them, in order. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

import type { ModelStatistics } from "./statistics";

/** The counts of an endpoint at one moment, its versions together. */
export interface Sample {
  /** Milliseconds of a steady clock. */
  readonly atMs: number;
  readonly successes: number;
  readonly failures: number;
  readonly rows: number;
  readonly calls: number;
  readonly waiting: number;
  readonly boundsS: readonly number[];
  /** One more than bounds. */
  readonly counts: readonly number[];
}

/** What happened between two samples. */
export interface Point {
  readonly atMs: number;
  readonly perSecond: number;
  readonly failuresPerSecond: number;
  /** Null where nothing was answered. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly rowsPerCall: number | null;
}

export function sampleOf(versions: readonly ModelStatistics[], atMs: number): Sample {
  const sum = (value: (of: ModelStatistics) => number) =>
    versions.reduce((total, of) => total + value(of), 0);
  const [first] = versions;
  const boundsS = first?.request_duration_histogram.bounds_seconds ?? [];
  return {
    atMs,
    successes: sum((of) => of.inference_stats.success.count),
    failures: sum((of) => of.inference_stats.fail.count),
    rows: sum((of) => of.inference_count),
    calls: sum((of) => of.execution_count),
    waiting: sum((of) => of.pending_request_count),
    boundsS,
    counts: Array.from({ length: boundsS.length + 1 }, (_, index) =>
      sum((of) => of.request_duration_histogram.counts[index] ?? 0),
    ),
  };
}

/** Null when the counts began anew between the two: then nothing can be told. */
export function pointBetween(before: Sample, after: Sample): Point | null {
  const seconds = (after.atMs - before.atMs) / 1000;
  const answered = after.successes - before.successes;
  if (seconds <= 0 || answered < 0 || after.failures < before.failures) return null;
  const counts = after.counts.map((count, index) => count - (before.counts[index] ?? 0));
  const calls = after.calls - before.calls;
  const at = (share: number) => {
    const value = quantileS(after.boundsS, counts, share);
    return value === null ? null : value * 1000;
  };
  return {
    atMs: after.atMs,
    perSecond: answered / seconds,
    failuresPerSecond: (after.failures - before.failures) / seconds,
    p50Ms: at(0.5),
    p90Ms: at(0.9),
    p99Ms: at(0.99),
    rowsPerCall: calls > 0 ? (after.rows - before.rows) / calls : null,
  };
}

/** A quantile out of counts by upper bound, straight between the bounds of its bucket. */
export function quantileS(
  boundsS: readonly number[],
  counts: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (below + count >= wanted && count > 0) {
      const low = index === 0 ? 0 : (boundsS[index - 1] ?? 0);
      const high = boundsS[index] ?? low;
      return low + ((wanted - below) / count) * (high - low);
    }
    below += count;
  }
  return boundsS.at(-1) ?? null;
}

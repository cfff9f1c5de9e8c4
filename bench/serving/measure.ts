export interface Measure {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What came of a load, from the milliseconds that each request took. */
export function measureOf(tookMs: readonly number[], elapsedMs: number): Measure {
  const sorted = Float64Array.from(tookMs).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { perSecond: (sorted.length / elapsedMs) * 1000, p50Ms: at(0.5), p99Ms: at(0.99) };
}

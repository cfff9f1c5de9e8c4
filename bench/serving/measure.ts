export interface Measure {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A load of which each request's time was kept. */
export interface TimedMeasure extends Measure {
  readonly p999Ms: number;
  readonly maxMs: number;
  /** How many took longer. */
  slowerThan(ms: number): number;
}

/** What came of a load, from the milliseconds that each request took. */
export function measureOf(tookMs: readonly number[], elapsedMs: number): TimedMeasure {
  const sorted = Float64Array.from(tookMs).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    perSecond: (sorted.length / elapsedMs) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    p999Ms: at(0.999),
    maxMs: sorted.at(-1) ?? Number.NaN,
    slowerThan: (ms) => sorted.length - sorted.filter((took) => took <= ms).length,
  };
}

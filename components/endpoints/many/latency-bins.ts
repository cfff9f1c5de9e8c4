/** One bar of a histogram over times, `from` included, `to` not. */
export interface LatencyBin {
  readonly fromNs: number;
  readonly toNs: number;
  readonly count: number;
}

/** Bars in each factor of ten. */
const perDecade = 10;

/** A histogram with bars of equal width on a logarithmic axis, from the fastest to the slowest. */
export function latencyBins(times: readonly number[]): LatencyBin[] {
  const known = times.filter((ns) => ns > 0);
  if (known.length === 0) return [];
  const placeOf = (ns: number) => Math.floor(Math.log10(ns) * perDecade + 1e-9);
  const places = known.map(placeOf);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const edge = (place: number) => 10 ** (place / perDecade);
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    fromNs: edge(first + at),
    toNs: edge(first + at + 1),
    count: places.filter((place) => place === first + at).length,
  }));
}

/** Which part of the times a percentile lies above. */
export const percentiles = [0.5, 0.9, 0.99] as const;

/** The smallest of the times that so many of them do not exceed, by nearest rank; null of no times. */
export function percentileOf(times: readonly number[], share: number): number | null {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

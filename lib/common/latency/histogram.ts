import { bucketFromUs } from "./buckets";

/** How many times fell into each bucket, by its number as text; buckets without any are left out. */
export type LatencyCounts = Readonly<Record<string, number>>;

/** The sum of histograms. */
export function addLatencies(all: Iterable<LatencyCounts>): LatencyCounts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [bucket, count] of Object.entries(counts)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/** Buckets in order, with their counts. */
export function latencySteps(counts: LatencyCounts): { bucket: number; count: number }[] {
  return Object.entries(counts)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.bucket - b.bucket);
}

/**
 * The time within which a share of the requests were answered, straight between the bounds of its bucket.
 *
 * @param share 0 to 1.
 * @returns Microseconds; null of a histogram that holds nothing.
 */
export function quantileUs(counts: LatencyCounts, share: number): number | null {
  const steps = latencySteps(counts);
  const wanted = steps.reduce((sum, { count }) => sum + count, 0) * share;
  let below = 0;
  for (const { bucket, count } of steps) {
    if (below + count >= wanted) {
      const low = bucketFromUs(bucket);
      return low + ((wanted - below) / count) * (bucketFromUs(bucket + 1) - low);
    }
    below += count;
  }
  return null;
}

/** The shortest time that is told apart, microseconds. */
const leastUs = 10;
const perOctave = 8;
/** Twenty-four octaves: from 10 µs to 168 s, further than any request lives. */
const octaves = 24;

/** Buckets of a latency histogram; their bounds grow by 9 %, so a quantile is right to 4.5 %. */
export const latencyBuckets = perOctave * octaves + 2;

/** Which bucket counts a time. The first holds all that is shorter than 10 µs, the last all that is longer than 168 s. */
export function bucketOf(us: number): number {
  if (!(us >= leastUs)) return 0;
  return Math.min(latencyBuckets - 1, 1 + Math.floor(Math.log2(us / leastUs) * perOctave));
}

/** The shortest time that a bucket counts, microseconds: where the one before it ends. */
export function bucketFromUs(bucket: number): number {
  return bucket <= 0 ? 0 : leastUs * 2 ** ((bucket - 1) / perOctave);
}

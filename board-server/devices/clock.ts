/** Nanoseconds of a monotonic clock; differences are what counts. */
export function nowNs(): number {
  return performance.now() * 1e6;
}

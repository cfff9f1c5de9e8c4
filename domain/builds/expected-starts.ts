/** A build, and how long it is expected to take; null where nothing tells. */
export interface Expected {
  readonly id: string;
  readonly expectedMs: number | null;
  /** Since when it runs; null while it waits. */
  readonly startedMs: number | null;
}

/**
 * When each waiting build is expected to be taken, if each worker takes the first that waits as soon as it is free.
 *
 * @param queue Times in milliseconds since 1970. `slots`: builds that all workers run at once.
 * @returns By id; those of whom nothing tells, and all behind them in the same way, are left out.
 */
export function expectedStarts(queue: {
  readonly nowMs: number;
  readonly slots: number;
  readonly running: readonly Expected[];
  readonly waiting: readonly Expected[];
}): ReadonlyMap<string, number> {
  const { nowMs, slots, running, waiting } = queue;
  const ends = running.map(({ startedMs, expectedMs }) =>
    expectedMs === null
      ? Number.POSITIVE_INFINITY
      : Math.max(nowMs, (startedMs ?? nowMs) + expectedMs),
  );
  const free = Math.max(0, slots - running.length);
  // More run than there are slots while a worker that was lost is still held for alive.
  const all: number[] = [...Array.from({ length: free }, () => nowMs), ...ends];
  const places = all.sort((a, b) => a - b).slice(0, slots);
  const starts = new Map<string, number>();
  for (const { id, expectedMs } of waiting) {
    const at = places.shift();
    if (at === undefined) break;
    if (Number.isFinite(at)) starts.set(id, at);
    places.push(expectedMs === null ? Number.POSITIVE_INFINITY : at + expectedMs);
    places.sort((a, b) => a - b);
  }
  return starts;
}

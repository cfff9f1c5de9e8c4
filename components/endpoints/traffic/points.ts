import type { ModelStatistics, RecentSlot } from "./statistics";

/** What happened in one slot of the last five minutes, the versions of the endpoint together. */
export interface Point {
  readonly perSecond: number;
  readonly failuresPerSecond: number;
  /** Null where nothing was answered. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly rowsPerCall: number | null;
}

/** The last five minutes as the gateway counted them. */
export interface RecentTraffic {
  /** One for each slot that has ended, oldest first; the newest ended a moment ago. */
  readonly points: readonly Point[];
  /** Seconds that are known: fewer than five minutes when the gateway began to count later. */
  readonly seconds: number;
  /** Of all of those seconds, the slot that is filling included. */
  readonly answered: number;
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Puts the slots of an endpoint's versions together. */
export function recentTraffic(versions: readonly ModelStatistics[]): RecentTraffic {
  const known = Math.max(0, ...versions.map(({ recent }) => recent.known_slots));
  const slotSeconds = versions[0]?.recent.slot_seconds ?? 1;
  const boundsS = versions[0]?.request_duration_histogram.bounds_seconds ?? [];
  const slots = versions.flatMap(({ recent }) => recent.slots);
  const ended = Array.from({ length: Math.max(0, known - 1) }, (): RecentSlot[] => []);
  for (const slot of slots) ended[known - 1 - slot.ago]?.push(slot);
  const all = sumOf(slots);
  return {
    points: ended.map((each) => pointOf(sumOf(each), slotSeconds, boundsS)),
    seconds: known * slotSeconds,
    answered: all.success,
    failed: all.fail,
    p50Ms: quantileMs(boundsS, all.counts, 0.5),
    p99Ms: quantileMs(boundsS, all.counts, 0.99),
  };
}

type Sum = Omit<RecentSlot, "ago">;

function sumOf(slots: readonly RecentSlot[]): Sum {
  const sum = (value: (slot: RecentSlot) => number) =>
    slots.reduce((total, slot) => total + value(slot), 0);
  return {
    success: sum(({ success }) => success),
    fail: sum(({ fail }) => fail),
    rows: sum(({ rows }) => rows),
    calls: sum(({ calls }) => calls),
    counts: (slots[0]?.counts ?? []).map((_, index) => sum(({ counts }) => counts[index] ?? 0)),
  };
}

function pointOf(
  { success, fail, rows, calls, counts }: Sum,
  slotSeconds: number,
  boundsS: readonly number[],
): Point {
  return {
    perSecond: success / slotSeconds,
    failuresPerSecond: fail / slotSeconds,
    p50Ms: quantileMs(boundsS, counts, 0.5),
    p90Ms: quantileMs(boundsS, counts, 0.9),
    p99Ms: quantileMs(boundsS, counts, 0.99),
    rowsPerCall: calls > 0 ? rows / calls : null,
  };
}

function quantileMs(
  boundsS: readonly number[],
  counts: readonly number[],
  share: number,
): number | null {
  const value = quantileS(boundsS, counts, share);
  return value === null ? null : value * 1000;
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

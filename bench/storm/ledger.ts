import type { StormModel } from "./model";

/** An endpoint that its client was promised. */
export interface Promised {
  readonly name: string;
  readonly model: StormModel;
  /** How far an answer may be from the float model's: boards count in fixed point. */
  readonly tolerance: number;
}

/** What clients were told, and what they saw. */
export class Ledger {
  /** Ids of builds by the 2xx that acknowledged them. */
  readonly builds = new Set<string>();
  /** Builds whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Builds that were seen to have ended, by state and reason. */
  readonly ends = new Map<string, string>();
  /** Endpoints that must answer. */
  readonly endpoints = new Map<string, Promised>();
  /** Endpoints whose deletion was acknowledged. */
  readonly deleted = new Set<string>();
  /** Answers to inferences that were right, and to calls that were refused, by their reason. */
  right = 0;
  readonly refusals = new Map<string, number>();
  /** What should never be: each in words. */
  readonly broken: string[] = [];

  refused(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
  }

  breaks(words: string): void {
    this.broken.push(words);
  }
}

/** Counts of texts, most frequent first: `12 x STORE_UNAVAILABLE, 3 x RESET`. */
export function tally(counts: Iterable<readonly [string, number]>): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([text, count]) => `${count} x ${text}`)
    .join(", ");
}

/** How often each text comes. */
export function countEach(texts: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

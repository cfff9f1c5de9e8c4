import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** An endpoint that its client was promised. */
export interface Promised {
  readonly name: string;
  /** Which model of the storm it serves. */
  readonly n: number;
  /** How far an answer may be from the float model's: boards count in fixed point. */
  readonly tolerance: number;
}

/** What clients were told, and what they saw; in a file, so that a storm that was stopped can go on. */
export class Ledger {
  /** Models whose clients are through. */
  readonly through = new Set<number>();
  /** Faults of the schedule that were done. */
  faults = 0;
  /** Ids of builds by the 2xx that acknowledged them. */
  readonly builds = new Set<string>();
  /** Builds whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Builds that were seen to have ended, by state and reason. */
  readonly ends = new Map<string, string>();
  /** Endpoints that must answer. */
  readonly endpoints = new Map<string, Promised>();
  /** Ids of the messages about each build; of several the receiver drops doubles by them. */
  readonly told = new Map<string, readonly string[]>();
  /** Answers to inferences that were right, and to calls that were refused, by their reason. */
  right = 0;
  readonly refusals = new Map<string, number>();
  /** What should never be: each in words. */
  readonly broken: string[] = [];
  readonly #file: string;

  /** Opens the ledger of a file; one that is not there is empty. */
  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) return;
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    this.faults = kept.faults;
    this.right = kept.right;
    for (const n of kept.through) this.through.add(n);
    for (const id of kept.builds) this.builds.add(id);
    for (const id of kept.cancelled) this.cancelled.add(id);
    for (const [id, end] of kept.ends) this.ends.set(id, end);
    for (const promised of kept.endpoints) this.endpoints.set(promised.name, promised);
    for (const [id, messages] of kept.told) this.told.set(id, messages);
    for (const [reason, count] of kept.refusals) this.refusals.set(reason, count);
    this.broken.push(...kept.broken);
  }

  /** Writes it down: a client does so before it acts on what it was told. */
  keep(): void {
    const { through, faults, builds, cancelled, ends, endpoints, told, right, refusals } = this;
    const kept: Kept = {
      faults,
      right,
      through: [...through],
      builds: [...builds],
      cancelled: [...cancelled],
      ends: [...ends],
      endpoints: [...endpoints.values()],
      told: [...told],
      refusals: [...refusals],
      broken: this.broken,
    };
    writeFileSync(`${this.#file}.new`, JSON.stringify(kept));
    renameSync(`${this.#file}.new`, this.#file);
  }

  refused(reason: string): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
  }

  breaks(words: string): void {
    this.broken.push(words);
  }
}

interface Kept {
  readonly faults: number;
  readonly right: number;
  readonly through: readonly number[];
  readonly builds: readonly string[];
  readonly cancelled: readonly string[];
  readonly ends: readonly (readonly [string, string])[];
  readonly endpoints: readonly Promised[];
  readonly told: readonly (readonly [string, readonly string[]])[];
  readonly refusals: readonly (readonly [string, number])[];
  readonly broken: readonly string[];
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

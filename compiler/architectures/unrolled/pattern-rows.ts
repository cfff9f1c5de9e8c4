import type { Term } from "./network";
import { keyOf, type Pattern } from "./pattern";

/** Two terms of a row that form a pattern. */
export interface Occurrence {
  readonly row: number;
  readonly low: Term;
  readonly high: Term;
}

/** Rows of terms, with how many pairs of them form each pattern. */
export class PatternRows {
  readonly counts = new Map<number, number>();
  private readonly rows: Set<Term>[];
  /** Per row, its terms by signal. */
  private readonly bySignal: Map<number, Term[]>[];
  /** Per row, the sum of 2^level of its terms: no tree of adders is shallower than its logarithm. */
  private readonly loads: number[];
  /** Per signal, the rows that have, or had, a term of it; in order. */
  private readonly holders = new Map<number, number[]>();

  private readonly weightOf: (signal: number) => number;

  /** @param constant What the constant of a row weighs. */
  constructor(
    rows: readonly (readonly Term[])[],
    constant: number,
    weightOf: (signal: number) => number,
  ) {
    this.weightOf = weightOf;
    this.rows = rows.map(() => new Set());
    this.bySignal = rows.map(() => new Map());
    this.loads = rows.map(() => constant);
    for (const [row, terms] of rows.entries()) for (const term of terms) this.add(row, term, null);
  }

  termsOf(row: number): Term[] {
    return [...(this.rows[row] ?? [])];
  }

  /** Adds a term; `announce` hears of every pattern that it forms and how often that occurs now. */
  add(row: number, term: Term, announce: ((key: number, count: number) => void) | null): void {
    for (const other of this.rows[row] ?? []) {
      const key = keyOf(term, other);
      const count = (this.counts.get(key) ?? 0) + 1;
      this.counts.set(key, count);
      if (count >= 2) announce?.(key, count);
    }
    this.rows[row]?.add(term);
    this.loads[row] = (this.loads[row] ?? 0) + this.weightOf(term.signal);
    const same = this.bySignal[row]?.get(term.signal);
    if (same) same.push(term);
    else {
      this.bySignal[row]?.set(term.signal, [term]);
      this.hold(term.signal, row);
    }
  }

  remove(row: number, term: Term): void {
    this.rows[row]?.delete(term);
    for (const other of this.rows[row] ?? []) {
      const key = keyOf(term, other);
      const count = (this.counts.get(key) ?? 0) - 1;
      if (count > 0) this.counts.set(key, count);
      else this.counts.delete(key);
    }
    this.loads[row] = (this.loads[row] ?? 0) - this.weightOf(term.signal);
    const same = this.bySignal[row]?.get(term.signal) ?? [];
    this.bySignal[row]?.set(
      term.signal,
      same.filter((other) => other !== term),
    );
  }

  /** Pairs that form the pattern, no term in two of them, in rows that do not become deeper than their levels by it. */
  occurrencesOf({ first, second }: Pattern, levels: readonly number[]): Occurrence[] {
    const [a, b] = [this.weightOf(first), this.weightOf(second.signal)];
    const grown = 2 * Math.max(a, b) - a - b;
    const found: Occurrence[] = [];
    for (const row of this.holders.get(first) ?? []) {
      const highs = this.bySignal[row]?.get(second.signal) ?? [];
      if (highs.length === 0) continue;
      let load = this.loads[row] ?? 0;
      const limit = 2 ** (levels[row] ?? 0);
      const taken: Term[] = [];
      for (const low of this.bySignal[row]?.get(first) ?? []) {
        if (grown > 0 && load + grown > limit) break;
        if (taken.includes(low)) continue;
        const high = highs.find(
          (term) =>
            term.shift === low.shift + second.shift &&
            (term.negative !== low.negative) === second.negative &&
            term !== low &&
            !taken.includes(term),
        );
        if (!high) continue;
        load += grown;
        taken.push(low, high);
        found.push({ row, low, high });
      }
    }
    return found;
  }

  private hold(signal: number, row: number): void {
    const rows = this.holders.get(signal);
    if (!rows) this.holders.set(signal, [row]);
    else if (!rows.includes(row)) {
      rows.push(row);
      rows.sort((a, b) => a - b);
    }
  }
}

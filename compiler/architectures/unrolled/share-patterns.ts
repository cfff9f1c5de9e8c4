import { widthOf } from "../../integer/range";
import type { Term } from "./network";
import { adderWidth, type NetworkBuilder } from "./network-builder";
import { patternOf } from "./pattern";
import { PatternRows } from "./pattern-rows";
import { WorkQueue } from "./work-queue";

/** How patterns are weighed against each other. */
export interface Sharing {
  /** Levels that a layer may be deeper than its widest row needs at least. */
  readonly extraLevels: number;
  /** 0 takes the pattern that saves most each time; more lets chance decide between those that save about as much. */
  readonly chance: number;
  /** What a subtraction saves, in parts of what an addition of the same bits does. */
  readonly subtractionWorth: number;
  readonly seed: number;
}

/**
 * Replaces two-term patterns that occur more than once, in any rows and places, by signals of their own, the one that
 * saves most first, until nothing occurs twice. A row is left alone where it would become too deep for `level`.
 *
 * @param level The level by which every row must be summed.
 * @returns The rows that are left to be summed.
 */
export function sharePatterns(
  builder: NetworkBuilder,
  rows: readonly (readonly Term[])[],
  level: number,
  { chance, subtractionWorth, seed }: Sharing,
): Term[][] {
  const table = new PatternRows(rows, (signal) => 2 ** builder.levelOf(signal));
  const savings = new Map<number, number>();
  const queue = new WorkQueue();

  /** What one more occurrence saves: an adder as wide as the operands overlap. */
  const savingOf = (key: number): number => {
    const known = savings.get(key);
    if (known !== undefined) return known;
    const { first, second } = patternOf(key);
    const high = builder.rangeOf(second.signal);
    const overlap = Math.min(
      widthOf(builder.rangeOf(first)) - second.shift,
      widthOf(high),
      adderWidth(builder.rangeOf(first), second, builder.roughRangeOfSum(first, second)),
    );
    const worth = second.negative ? subtractionWorth : 1;
    const saving = overlap * worth * (1 + chance * noiseOf(key, seed));
    savings.set(key, saving);
    return saving;
  };
  const scoreOf = (key: number, count: number) => (count - 1) * savingOf(key);
  const announce = (key: number, count: number) => queue.push(scoreOf(key, count), key);
  for (const [key, count] of table.counts) if (count >= 2) announce(key, count);

  for (let next = queue.pop(); next; next = queue.pop()) {
    const { item: key, score } = next;
    const count = table.counts.get(key) ?? 0;
    if (count < 2) continue;
    if (scoreOf(key, count) < score) {
      announce(key, count);
      continue;
    }
    const pattern = patternOf(key);
    const found = table.occurrencesOf(pattern, level);
    if (found.length < 2) continue;
    if (scoreOf(key, found.length) < score && found.length < count) {
      // Overlapping pairs, or rows that are deep enough: it is worth less than was counted.
      if (scoreOf(key, found.length) < queue.best()) {
        queue.push(scoreOf(key, found.length), key);
        continue;
      }
    }
    const signal = builder.sum(pattern.first, pattern.second);
    for (const { row, low, high } of found) {
      table.remove(row, low);
      table.remove(row, high);
      table.add(row, { signal, shift: low.shift, negative: low.negative }, announce);
    }
  }
  return rows.map((_, row) => table.termsOf(row));
}

/** A number in −1..1 for a key: the same for equal keys and seeds. Source: the finaliser of MurmurHash3. */
function noiseOf(key: number, seed: number): number {
  let hash = (key % 2 ** 32) ^ Math.floor(key / 2 ** 32) ^ Math.imul(seed + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}

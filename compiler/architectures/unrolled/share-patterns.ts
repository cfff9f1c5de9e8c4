import { widthOf } from "../../integer/range";
import type { Term } from "./network";
import { adderWidth, type NetworkBuilder } from "./network-builder";
import { noiseOf } from "./noise";
import { patternOf } from "./pattern";
import { PatternRows } from "./pattern-rows";
import { WorkQueue } from "./work-queue";

/** How patterns are weighed against each other. */
export interface Sharing {
  /** Lets chance decide between patterns that save about as much; without any, the one that saves most is taken. */
  readonly noise: readonly Noise[];
  /** What a subtraction saves, in parts of what an addition of the same bits does. */
  readonly subtractionWorth: number;
  /** Bits that are not saved for each bit that waits one level for its partner. */
  readonly waitingBits: number;
}

/** Bits that a pattern saves at least, whatever waits for it. */
const leastSaving = 0.5;

/** What a pattern's saving is raised or lowered by at most, in parts of it. */
export interface Noise {
  readonly seed: number;
  readonly amount: number;
}

/**
 * Replaces two-term patterns that occur more than once, in any rows and places, by signals of their own, the one that
 * saves most first, until nothing occurs twice. A row is left alone where it would become too deep for its level.
 *
 * @param bounds By which level each row must be summed, and what its constant weighs there.
 * @returns The rows that are left to be summed.
 */
export function sharePatterns(
  builder: NetworkBuilder,
  rows: readonly (readonly Term[])[],
  { levels, constant }: { readonly levels: readonly number[]; readonly constant: number },
  { noise, subtractionWorth, waitingBits }: Sharing,
): Term[][] {
  const table = new PatternRows(rows, constant, (signal) => 2 ** builder.levelOf(signal));
  const savings = new Map<number, number>();
  const queue = new WorkQueue();

  /** What one more occurrence saves: an adder as wide as the operands overlap, but for what waits. */
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
    const chance = noise.reduce((sum, { seed, amount }) => sum + amount * noiseOf(key, seed), 0);
    const wait = builder.levelOf(second.signal) - builder.levelOf(first);
    const waiting = wait > 0 ? wait * widthOf(builder.rangeOf(first)) : -wait * widthOf(high);
    const bits = Math.max(leastSaving, overlap * worth - waiting * waitingBits);
    const saving = bits * (1 + chance);
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
    const found = table.occurrencesOf(pattern, levels);
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

import { casesUpTo, fuzz } from "./settings";
import { watchUncaught } from "./watch-uncaught";

/** What came of many cases. */
export interface Outcome {
  /** How often each was said. */
  readonly told: Map<string, number>;
  readonly faults: string[];
  /** Of this process, over the run. */
  readonly residentMiB: number[];
}

/** What one case was answered, and why that is no answer; null: it is one. */
export interface Verdict {
  readonly said: readonly string[];
  readonly fault: string | null;
}

/** So many are reported; then nobody reads more. */
const enough = 8;

/**
 * Tries all cases, so many at a time, and what is good after each of those. What nobody catches meanwhile is a fault of the cases that
 * were under way.
 */
export async function eachCase(
  count: number,
  {
    abreast,
    tryGood = async () => {},
    tryOne,
  }: {
    readonly abreast: number;
    readonly tryGood?: () => Promise<void>;
    readonly tryOne: (number: number) => Promise<Verdict>;
  },
): Promise<Outcome> {
  const told = new Map<string, number>();
  const faults: string[] = [];
  const residentMiB: number[] = [];
  const uncaught = watchUncaught();
  try {
    const cases = casesUpTo(count);
    for (let at = 0; at < cases.length && faults.length < enough; at += abreast) {
      const numbers = cases.slice(at, at + abreast);
      await Promise.all(
        numbers.map(async (number) => {
          const { said, fault } = await tryOne(number);
          for (const word of said) told.set(word, (told.get(word) ?? 0) + 1);
          if (fault !== null) faults.push(`FUZZ_SEED=${fuzz.seed} FUZZ_CASE=${number}: ${fault}`);
        }),
      );
      const [first] = uncaught.seen.splice(0);
      if (first !== undefined) {
        const why = first instanceof Error ? first.stack : String(first);
        faults.push(`FUZZ_SEED=${fuzz.seed} FUZZ_CASE=${numbers.join()}: nobody caught ${why}`);
      }
      await tryGood();
      if (at % (Math.ceil(cases.length / 8 / abreast) * abreast) === 0) {
        residentMiB.push(Math.round(process.memoryUsage().rss / 2 ** 20));
      }
    }
  } finally {
    uncaught.close();
  }
  return { told, faults, residentMiB };
}

/** How often each was said, and memory, as one line. */
export const outcomeLine = ({ told, residentMiB }: Outcome): string =>
  `${JSON.stringify(Object.fromEntries(told))}; resident, MiB: ${residentMiB.join(" ")}`;

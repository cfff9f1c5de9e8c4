import { useMemo } from "react";
import type { LogSnapshot } from "./log-store";

export interface Problems {
  readonly count: number;
  next(): void;
  previous(): void;
}

/** Warnings and errors of the log, to be walked through from the line selected; after the last comes the first. */
export function useProblems(
  { lines, version }: LogSnapshot,
  { from, onFound }: { from: number | undefined; onFound: (n: number) => void },
): Problems {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `lines` grows in place, `version` tells that it did
  const numbers = useMemo(
    () => lines.filter(({ level }) => level !== "info").map(({ n }) => n),
    [lines, version],
  );
  const goTo = (n: number | undefined) => {
    if (n !== undefined) onFound(n);
  };
  return {
    count: numbers.length,
    next: () => goTo(numbers.find((n) => n > (from ?? 0)) ?? numbers[0]),
    previous: () =>
      goTo(numbers.findLast((n) => n < (from ?? Number.MAX_SAFE_INTEGER)) ?? numbers.at(-1)),
  };
}

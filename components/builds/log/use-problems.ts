import type { LogOutline } from "@/lib/common/contract";

export interface ProblemSteps {
  readonly count: number;
  next(): void;
  previous(): void;
}

/** The problems of a log, to be walked through from the line selected; after the last comes the first. */
export function useProblems(
  { problems }: LogOutline,
  { from, onFound }: { from: number | undefined; onFound: (n: number) => void },
): ProblemSteps {
  const numbers = problems.map(({ first }) => first).sort((a, b) => a - b);
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

import type { Estimate, FittingForecast } from "@/compiler/forecast";
import type { EqualBuilds } from "@/lib/common/contract";

/** A forecast in which what equal builds measured stands in the place of what was guessed: time, clock and cycles. */
export function measuredGuess(guess: FittingForecast, equal: EqualBuilds | null): FittingForecast {
  if (!equal?.seconds) return guess;
  const { seconds, clock } = equal;
  const cycles = equal.cycles === null ? guess.cycles : exactly(guess.cycles, equal.cycles);
  const clockHz = clock?.hz ?? guess.clockHz;
  return {
    ...guess,
    cycles,
    clockHz,
    microseconds: (cycles.expected / clockHz) * 1e6,
    buildSeconds: {
      expected: Math.round(seconds.median),
      low: Math.floor(seconds.low),
      high: Math.ceil(seconds.high),
      available: 0,
    },
  };
}

const exactly = ({ available }: Estimate, value: number): Estimate => ({
  expected: value,
  low: value,
  high: value,
  available,
});

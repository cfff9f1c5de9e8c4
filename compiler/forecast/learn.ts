import type { ForecastDeviation, ForecastFigure } from "@/lib/common/contract";
import type { Estimate, FittingForecast } from "./types";

/** Finished builds from which on their errors are believed, not the formulas'. */
const enoughBuilds = 5;
/** Clocks come in steps: one build that missed one by a little says less than its step. */
const enoughForClock = 2;

/**
 * A forecast moved by the middle error of the finished builds of its kind, with the band that eight of ten of them lay in.
 * What was forecast exactly each time stays exact. How long a build takes depends on the machine more than on the design:
 * there the first build tells more than a formula, with the formula's band; and of the clock the second one does.
 *
 * @param errors Of all families and architectures; few builds of a kind change no size.
 * @param board What the design is for; null clocks: somebody chose the clock.
 * @returns The forecast, how many builds its sizes were learnt from, and how many its time: 0 where it is the formulas' alone.
 */
export function learn(
  guess: FittingForecast,
  { family, clocksHz }: { readonly family: string; readonly clocksHz: readonly number[] | null },
  errors: readonly ForecastDeviation[],
): { readonly guess: FittingForecast; readonly builds: number; readonly timed: number } {
  const of = (figure: ForecastFigure, least = enoughBuilds) =>
    errors.find(
      (each) =>
        each.family === family &&
        each.architecture === guess.architecture &&
        each.figure === figure &&
        each.builds >= least,
    );
  const moved = (estimate: Estimate, figure: ForecastFigure) => adjust(estimate, of(figure));
  const cycles = moved(guess.cycles, "cycles");
  const clockHz = reachedHz(guess.clockHz, clocksHz, of("clock", enoughForClock));
  const timed = of("seconds", 1);
  return {
    builds: of("lut")?.builds ?? 0,
    timed: timed?.builds ?? 0,
    guess: {
      ...guess,
      cycles,
      clockHz,
      microseconds: (cycles.expected / clockHz) * 1e6,
      lut: moved(guess.lut, "lut"),
      flipFlops: moved(guess.flipFlops, "ff"),
      bramBlocks: moved(guess.bramBlocks, "bram"),
      dsp: moved(guess.dsp, "dsp"),
      buildSeconds:
        timed === undefined || timed.builds >= enoughBuilds
          ? adjust(guess.buildSeconds, timed)
          : scale(guess.buildSeconds, timed.medianRatio),
    },
  };
}

/** The highest of the board's clocks that builds of the kind reached, by the share of what was expected of them. */
function reachedHz(
  expectedHz: number,
  clocksHz: readonly number[] | null,
  error: ForecastDeviation | undefined,
): number {
  if (!clocksHz || !error) return expectedHz;
  // Ratios are quotients: a clock that is met exactly must not be missed by rounding.
  const limitHz = expectedHz * Math.min(1, error.medianRatio) * (1 + 1e-6);
  const reached = clocksHz.filter((hz) => hz <= limitHz);
  return reached.length === 0 ? Math.min(expectedHz, ...clocksHz) : Math.max(...reached);
}

const scale = ({ expected, low, high, available }: Estimate, ratio: number): Estimate => ({
  expected: Math.round(expected * ratio),
  low: Math.floor(low * ratio),
  high: Math.ceil(high * ratio),
  available,
});

function adjust(estimate: Estimate, error: ForecastDeviation | undefined): Estimate {
  if (!error) return estimate;
  const { expected, available } = estimate;
  return {
    expected: Math.round(expected * error.medianRatio),
    low: Math.floor(expected * error.lowRatio),
    high: Math.ceil(expected * error.highRatio),
    available,
  };
}

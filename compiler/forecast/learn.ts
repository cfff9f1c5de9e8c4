import type { ForecastError, ForecastFigure } from "@/lib/common/contract";
import type { Estimate, FittingForecast } from "./types";

/** Finished builds from which on their errors are believed, not the formulas'. */
const enoughBuilds = 5;

/**
 * A forecast moved by the middle error of the finished builds of its kind, with the band that eight of ten of them lay in.
 * What was forecast exactly each time stays exact.
 *
 * @param errors Of all families and architectures; few builds of a kind change nothing.
 * @returns The forecast, and how many builds it learnt from: 0 when it is the formulas' alone.
 */
export function learn(
  guess: FittingForecast,
  family: string,
  errors: readonly ForecastError[],
): { readonly guess: FittingForecast; readonly builds: number } {
  const of = (figure: ForecastFigure) =>
    errors.find(
      (each) =>
        each.family === family &&
        each.architecture === guess.architecture &&
        each.figure === figure &&
        each.builds >= enoughBuilds,
    );
  const moved = (estimate: Estimate, figure: ForecastFigure) => adjust(estimate, of(figure));
  const cycles = moved(guess.cycles, "cycles");
  return {
    builds: of("lut")?.builds ?? 0,
    guess: {
      ...guess,
      cycles,
      microseconds: (cycles.expected / guess.clockHz) * 1e6,
      lut: moved(guess.lut, "lut"),
      flipFlops: moved(guess.flipFlops, "ff"),
      bramBlocks: moved(guess.bramBlocks, "bram"),
      dsp: moved(guess.dsp, "dsp"),
      buildSeconds: moved(guess.buildSeconds, "seconds"),
    },
  };
}

function adjust(estimate: Estimate, error: ForecastError | undefined): Estimate {
  if (!error) return estimate;
  const { expected, available } = estimate;
  return {
    expected: Math.round(expected * error.medianRatio),
    low: Math.floor(expected * error.lowRatio),
    high: Math.ceil(expected * error.highRatio),
    available,
  };
}

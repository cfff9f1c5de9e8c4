import type { BoardModel } from "@/boards";
import { buildSeconds, type FittingForecast, forecast } from "@/compiler/forecast";
import type { Expectation, Outline } from "@/lib/common/contract";
import type { Compiled } from "./compiled";
import { type Options, precisionOf } from "./options";

/**
 * What is expected of a build, for its report to be held against: what the form shows of such a core; the planner's own
 * estimates where the form holds it for too large.
 *
 * @param outline Of the model, as the form has it.
 */
export function expectationOf(
  { forecast: planned, latencyCycles, architecture: built }: Compiled,
  {
    outline,
    board,
    options,
    clockHz,
  }: { outline: Outline; board: BoardModel; options: Options; clockHz: number },
): Expectation {
  const { family } = board.part;
  const architecture = built === "array" || built === "unrolled" ? built : "auto";
  const { lanes } = options;
  const precision = precisionOf(options);
  const shown = forecast({ outline, board, lanes, architecture, precision, clockHz });
  if (shown.fits) {
    return { family, architecture: shown.architecture, clockHz, figures: figuresOf(shown) };
  }
  const usedOf = (id: string) => planned.resources.find((each) => each.id === id)?.used ?? 0;
  const lut = usedOf("lut");
  const figures = { lut, bram: usedOf("bram"), dsp: usedOf("dsp"), cycles: latencyCycles };
  return {
    family,
    architecture: built,
    clockHz,
    figures: { ...figures, seconds: buildSeconds(lut) },
  };
}

const figuresOf = (shown: FittingForecast): Expectation["figures"] => ({
  lut: shown.lut.expected,
  ff: shown.flipFlops.expected,
  bram: shown.bramBlocks.expected,
  dsp: shown.dsp.expected,
  cycles: shown.cycles.expected,
  seconds: shown.buildSeconds.expected,
});

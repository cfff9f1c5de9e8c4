import type { BoardModel } from "@/boards";
import type { FitCandidates, Forecast } from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";

/** An engine's options as a form has them: what was left alone is absent. */
export type FormOptions = Readonly<Record<string, unknown>>;

/** What an engine's builds come to, before any tool runs. It runs in browsers, at every key press. */
export interface EngineForecast {
  /** @param board One that designs can be built for. Options that the engine would refuse make a forecast that says so. */
  forecast(outline: Outline, board: BoardModel, options: FormOptions): Forecast;
  /** What could be changed about a request that does not fit, nearest first; none is tried. */
  candidates(options: FormOptions, board: BoardModel): readonly FitCandidates[];
}

import type { BoardModel } from "@/boards";
import type { FitCandidates, Forecast } from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";

/** An engine's options as a form has them: what was left alone is absent. */
export type FormOptions = Readonly<Record<string, unknown>>;

/** A symmetric grid of weights. */
export interface WeightGrid {
  readonly bits: number;
  /** The largest weight, and less its sign the smallest. */
  readonly limit: number;
}

/** What an engine's builds come to, before any tool runs. It runs in browsers, at every key press. */
export interface EngineForecast {
  /** @param board One that designs can be built for. Options that the engine would refuse make a forecast that says so. */
  forecast(outline: Outline, board: BoardModel, options: FormOptions): Forecast;
  /**
   * The grid of the weights of a layer, counted among those that have some: its bits, and the largest weight that it holds without
   * clipping one of `magnitude`. Absent where the engine chooses otherwise.
   */
  weightGrid?(options: FormOptions, layer: number, magnitude: number): WeightGrid;
  /** What could be changed about a request that does not fit, nearest first; none is tried. */
  candidates(options: FormOptions, board: BoardModel): readonly FitCandidates[];
}

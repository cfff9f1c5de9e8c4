import { type BoardModel, findBoardModel, findFamily } from "@/boards";
import { type FittingForecast, fitsThatHold, type LackingForecast } from "@/compiler/forecast";
import type { Fit, Outline } from "@/lib/common/contract";
import type { EngineForecast, FormOptions } from "../engine-forecast";

/** What is asked about: a model's outline for an engine, on a board, with options as a form has them. */
export interface FitQuestion {
  readonly forecasts: EngineForecast;
  readonly outline: Outline;
  readonly board: BoardModel;
  readonly options: FormOptions;
}

/** Whether a design fits a board, and how full or how much too small that board is. */
export type BoardFit =
  | {
      readonly fits: true;
      /** Expected logic cells of those that the part has, 0 to 1. */
      readonly share: number;
      readonly guess: FittingForecast;
    }
  | {
      readonly fits: false;
      /** Of what it lacks most, needed of available: 1.48 for 148 %. Null where options alone stand against it. */
      readonly share: number | null;
      /** Whether no error of the estimate could make it fit. */
      readonly isSure: boolean;
      readonly guess: LackingForecast;
    };

/** Cells are estimates, which weights that are known better may lower by as much; memories and multipliers are counted. */
const doubt = 1.1;

/** Judges one board. Null for one that no design can be made for here. */
export function fitOnBoard({ forecasts, outline, board, options }: FitQuestion): BoardFit | null {
  if (!findFamily(board.part)) return null;
  const guess = forecasts.forecast(outline, board, options);
  if (guess.fits) {
    const { expected, available } = guess.lut;
    return { fits: true, share: available > 0 ? expected / available : 0, guess };
  }
  const shares = guess.lacking.map(({ needed, available }) =>
    available > 0 ? needed / available : Number.POSITIVE_INFINITY,
  );
  const isSure = guess.lacking.some(
    ({ id, needed, available }) => needed > available * (id === "lut" || id === "ff" ? doubt : 1),
  );
  return { fits: false, share: shares.length > 0 ? Math.max(...shares) : null, isSure, guess };
}

/** Changes to a request that does not fit with which it would, the nearest first. */
export function waysToFit({ forecasts, outline, board, options }: FitQuestion): Fit[] {
  return fitsThatHold(forecasts.candidates(options, board), (fit) => {
    const other = fit.board === undefined ? board : findBoardModel(fit.board);
    return other !== null && forecasts.forecast(outline, other, fit.options).fits;
  });
}

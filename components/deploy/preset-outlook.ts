import { findBoardModel } from "@/boards";
import { learn } from "@/compiler/forecast";
import { findForecast, fitOnBoard } from "@/engines/forecast";
import type { ForecastDeviation, Outline } from "@/lib/common/contract";
import type { PresetChoice } from "./presets";

/** What a preset comes to on the chosen board; null where there is no forecast. */
export type PresetOutlook =
  | { readonly fits: true; readonly share: number; readonly microseconds: number }
  | { readonly fits: false; readonly share: number | null };

/** What each preset comes to, by its name: the very figures that the forecast shows once it is chosen. */
export function presetOutlooks(
  choices: readonly PresetChoice[],
  request: {
    readonly engine: string;
    readonly outline: Outline;
    /** Id of a model of board. */
    readonly board: string;
    readonly deviations: readonly ForecastDeviation[];
  },
): ReadonlyMap<string, PresetOutlook> {
  const forecasts = findForecast(request.engine);
  const board = findBoardModel(request.board);
  if (!forecasts || !board) return new Map();
  return new Map(
    choices.flatMap(({ id, options }): [string, PresetOutlook][] => {
      const fit = fitOnBoard({ forecasts, outline: request.outline, board, options });
      if (!fit) return [];
      if (!fit.fits) return [[id, { fits: false, share: fit.share }]];
      const like = { family: board.part.family, clocksHz: board.standardClocksHz };
      const { guess } = learn(fit.guess, like, request.deviations);
      const { expected, available } = guess.lut;
      const share = available > 0 ? expected / available : 0;
      return [[id, { fits: true, share, microseconds: guess.microseconds }]];
    }),
  );
}

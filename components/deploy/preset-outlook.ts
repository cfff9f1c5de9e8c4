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
export async function presetOutlooks(
  choices: readonly PresetChoice[],
  request: {
    readonly engine: string;
    readonly outline: Outline;
    /** Id of a model of board. */
    readonly board: string;
    readonly deviations: readonly ForecastDeviation[];
  },
): Promise<ReadonlyMap<string, PresetOutlook>> {
  const outlooks = new Map<string, PresetOutlook>();
  for (const choice of choices) {
    // A convolution takes up to 30 ms: the page is let go of in between.
    await new Promise((resolve) => setTimeout(resolve));
    const outlook = outlookOf(choice, request);
    if (outlook) outlooks.set(choice.id, outlook);
  }
  return outlooks;
}

function outlookOf(
  { options }: PresetChoice,
  { engine, outline, board: id, deviations }: Parameters<typeof presetOutlooks>[1],
): PresetOutlook | null {
  const forecasts = findForecast(engine);
  const board = findBoardModel(id);
  const fit = forecasts && board && fitOnBoard({ forecasts, outline, board, options });
  if (!fit) return null;
  if (!fit.fits) return { fits: false, share: fit.share };
  const clocksHz = options["clockHz"] === undefined ? board.standardClocksHz : null;
  const { guess } = learn(fit.guess, { family: board.part.family, clocksHz }, deviations);
  const { expected, available } = guess.lut;
  const share = available > 0 ? expected / available : 0;
  return { fits: true, share, microseconds: guess.microseconds };
}

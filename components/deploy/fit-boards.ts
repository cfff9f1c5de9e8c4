import { findBoardModel } from "@/boards";
import { type BoardFit, findForecast, fitOnBoard } from "@/engines/forecast";
import type { Outline } from "@/lib/common/contract";

/** Longer than this nothing else waits: two frames of a screen. */
const sliceMs = 16;

/**
 * Judges boards one after another and lets go of the page in between, since a convolution takes up to 30 ms a board. Answers by
 * model of board; null for one that has no forecast.
 *
 * @param signal Ends it: then the answer is what was found until then.
 */
export async function fitBoards(
  {
    engine,
    outline,
    options,
    boards,
  }: {
    engine: string;
    outline: Outline;
    options: Readonly<Record<string, unknown>>;
    /** Ids of models of boards. */
    boards: readonly string[];
  },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BoardFit | null>> {
  const fits = new Map<string, BoardFit | null>();
  const forecasts = findForecast(engine);
  if (!forecasts) return fits;
  let sliceEnd = performance.now() + sliceMs;
  for (const id of boards) {
    if (performance.now() > sliceEnd) {
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return fits;
      sliceEnd = performance.now() + sliceMs;
    }
    const board = findBoardModel(id);
    fits.set(id, board && fitOnBoard({ forecasts, outline, board, options }));
  }
  return fits;
}

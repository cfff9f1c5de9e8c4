import type { TreeOutline } from "@/lib/common/contract";
import { estimateTrees } from "../architectures/trees/estimate";
import { refuseTreeLanes } from "../architectures/trees/takes";
import { lackInWords, lackingFor } from "../target/lacking";
import { arrayPart, targetOf } from "../target/part";
import type { ForecastRequest, Guess } from "./types";

/** Of cells, on placed designs; cycles are exact. */
const errors = { cells: 0.15, cycles: 0 } as const;

/**
 * Guesses the core of a tree ensemble: it has no options, so this is what the compiler will estimate.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function guessTrees(outline: TreeOutline, { board, lanes }: ForecastRequest): Guess {
  refuseTreeLanes(lanes);
  const part = arrayPart(targetOf(board));
  const estimate = estimateTrees(outline, part);
  const lacking = lackingFor(estimate, part);
  if (lacking.length > 0) {
    return { fits: false, lack: lackInWords(lacking), lacking, nearest: null };
  }
  const { latencyCycles, inputBytes, outputBytes } = outline;
  return {
    fits: true,
    core: {
      architecture: "trees",
      lanes: null,
      cycles: latencyCycles,
      ...estimate,
      dsp: 0,
      errors,
      inputBytes,
      outputBytes,
    },
  };
}

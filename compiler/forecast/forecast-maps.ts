import type { Outline } from "@/lib/common/contract";
import { hollowGraph } from "../architectures/walk/hollow-graph";
import { chooseLayout, refuseLanes, refuseUnrolled } from "../architectures/walk/layout";
import { precisions } from "../passes/precision";
import { lackInWords } from "../target/lacking";
import { arrayPart, targetOf } from "../target/part";
import type { ForecastRequest, Guess } from "./types";

/** Of cells, on designs placed on UP5K and HX8K; cycles are exact. */
const errors = { cells: 0.2, cycles: 0 } as const;
/** Scores leave with 16 bits. */
const bytesPerScore = 2;

/**
 * Guesses the core of a model of feature maps, from shapes alone.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function guessMaps(
  { inputs, layers }: Extract<Outline, { kind: "maps" }>,
  { board, lanes = null, architecture, precision = precisions["exact-ish"] }: ForecastRequest,
): Guess {
  refuseUnrolled(architecture);
  const part = arrayPart(targetOf(board));
  refuseLanes(lanes, part);
  const chosen = chooseLayout(hollowGraph(layers, inputs, precision), part, lanes);
  if (!chosen.choice) {
    const { lacking } = chosen;
    return { fits: false, lack: lackInWords(lacking), lacking, nearest: null };
  }
  const { layout, estimate } = chosen.choice;
  return {
    fits: true,
    core: {
      architecture: "walk",
      lanes: layout.lanes,
      cycles: layout.schedule.latencyCycles,
      lut: estimate.lut,
      flipFlops: estimate.flipFlops,
      bramBlocks: estimate.bramBlocks,
      dsp: estimate.dsp,
      errors,
      inputBytes: inputs,
      outputBytes: layout.outputs * bytesPerScore,
    },
  };
}

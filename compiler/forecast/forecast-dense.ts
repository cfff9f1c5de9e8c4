import type { Outline } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { mostCells } from "../architectures/array/estimate";
import { type Choice, chooseLanes, type NoChoice } from "../architectures/array/layout";
import { nearestSizes } from "../architectures/array/nearest-sizes";
import type { LayerShape } from "../architectures/array/schedule";
import { type Precision, precisions, weightBitsOf } from "../passes/precision";
import { sumWidth } from "../passes/sum-width";
import { lackInWords, lackingOf } from "../target/lacking";
import { arrayPart, targetOf } from "../target/part";
import { shellCells, shellResources } from "../target/shell";
import { usableCells } from "../target/usable-cells";
import { guessUnrolled, tableInputBits, unrolledErrors } from "./forecast-unrolled";
import type { CoreGuess, ForecastRequest, Guess } from "./types";

type DenseOutline = Extract<Outline, { kind: "dense" }>;

/** Relative error of the cell estimate on placed designs. */
const arrayErrors = { cells: 0.15, cycles: 0 } as const;
/** Accumulators are as wide as a score with its sign at least. */
const leastSumWidth = 17;

/**
 * Guesses the core of a net of dense layers: unrolled where that is asked for or fits, else the array.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function guessDense(outline: DenseOutline, request: ForecastRequest): Guess {
  const { architecture = "auto", lanes = null } = request;
  const refusal = outline.quantized?.arrayRefusal ?? null;
  if (refusal !== null && (architecture === "array" || lanes !== null)) {
    throw fail("OPTION_INVALID", `The array ${refusal}.`, {
      field: architecture === "array" ? "options.architecture" : "options.lanes",
      hint: "Leave the architecture to the compiler, which unrolls such models.",
    });
  }
  if (architecture !== "array" && lanes === null) {
    const limit = architecture === "auto" && refusal === null ? mostCells : undefined;
    const unrolled = guessUnrolledCore(outline, request, limit);
    if (unrolled.fits || architecture === "unrolled" || refusal !== null) return unrolled;
  }
  return guessArray(outline, request);
}

function guessArray(
  outline: DenseOutline,
  { board, lanes = null, precision }: ForecastRequest,
): Guess {
  const part = arrayPart(targetOf(board));
  const width = accumulatorWidthOf(outline, precision);
  const sizes = sizesOf(outline);
  const choose = (of: readonly number[]): { ok: true; choice: Choice } | NoChoice =>
    chooseLanes(layerShapes(outline, of), width, part, lanes);
  const result = choose(sizes);
  if (!result.ok) {
    const { lack, lacking } = result;
    return { fits: false, lack, lacking, nearest: nearestSizes(sizes, (of) => choose(of).ok) };
  }
  const { schedule, estimate } = result.choice;
  return {
    fits: true,
    core: {
      architecture: "array",
      lanes: schedule.lanes,
      cycles: schedule.latencyCycles,
      lut: estimate.lut,
      flipFlops: estimate.flipFlops,
      bramBlocks: estimate.bramBlocks,
      dsp: estimate.dsp,
      ownMultipliers: estimate.multipliers.paired,
      errors: arrayErrors,
      ...bytesOf(outline),
    },
  };
}

/** Before the weights are read: bands are wide, and what fits closely may end as the array. */
function guessUnrolledCore(
  outline: DenseOutline,
  { board, precision = precisions["exact-ish"] }: ForecastRequest,
  limit = Number.POSITIVE_INFINITY,
): Guess {
  const { part, costs } = targetOf(board);
  const shell = shellResources(outline.inputs, part);
  const guess = guessUnrolled({
    ...outline,
    precision,
    costs,
    ram: { blocks: part.bramBlocks - shell.bramBlocks, blockBits: part.bramBlockBits },
  });
  const core: CoreGuess = {
    architecture: "unrolled",
    lanes: null,
    cycles: guess.cycles,
    lut: guess.lut + shellCells.lut,
    flipFlops: guess.flipFlops + shellCells.flipFlops,
    bramBlocks: guess.bramBlocks + shellCells.bramBlocks,
    dsp: 0,
    errors: unrolledErrors,
    ...bytesOf(outline),
  };
  const usable = Math.min(limit, Math.floor(part.lut * usableCells));
  const lacking = [
    lackingOf("lut", core.lut, usable),
    lackingOf("ff", core.flipFlops, Math.floor(part.ff * usableCells)),
  ].filter(({ needed, available }) => needed > available);
  if (lacking.length === 0) return { fits: true, core };
  return { fits: false, lack: `${lackInWords(lacking)} when unrolled`, lacking, nearest: null };
}

/** Inputs, then the outputs of every layer. */
const sizesOf = ({ inputs, layers }: DenseOutline): readonly number[] => [
  inputs,
  ...layers.map(({ outputs }) => outputs),
];

function layerShapes({ layers }: DenseOutline, sizes: readonly number[]): LayerShape[] {
  return sizes.slice(1).map((outputSize, index) => {
    const inputSize = sizes[index] ?? 1;
    const table = layers[index]?.table ?? null;
    return table === null
      ? { inputSize, outputSize }
      : {
          inputSize,
          outputSize,
          table: { image: table, inputWidth: layers[index]?.tableBits ?? tableInputBits },
        };
  });
}

function accumulatorWidthOf(
  { layers, quantized }: DenseOutline,
  precision: Precision = precisions["exact-ish"],
): number {
  const widths = layers.map(({ reach, weightBits }, layer) =>
    sumWidth({
      reach,
      weightBits: weightBits ?? weightBitsOf(precision, layer),
      valueBits:
        layer === 0 ? (quantized?.inputBits ?? precision.inputBits) : precision.activationBits,
    }),
  );
  return Math.max(leastSumWidth, ...widths);
}

/** Of a row and of its scores. */
function bytesOf({ inputs, layers, quantized }: DenseOutline) {
  const bytesPerScore = (quantized?.outputBits ?? 16) / 8;
  return { inputBytes: inputs, outputBytes: (layers.at(-1)?.outputs ?? 0) * bytesPerScore };
}

import { type BoardModel, getFamily } from "@/boards";
import {
  type ArrayPart,
  type Choice,
  chooseLanes,
  type LayerShape,
  mostCells,
  shellCells,
  usableCells,
} from "../schedule";
import { buildSeconds } from "./build-seconds";
import { guessUnrolled, unrolledErrors } from "./forecast-unrolled";

export interface ForecastRequest {
  /** Inputs, then the outputs of every dense layer: `[64, 32, 32, 10]`. */
  readonly sizes: readonly number[];
  /** One that designs can be built for. */
  readonly board: BoardModel;
  readonly lanes?: number | null;
  /** Left out: `auto`. */
  readonly architecture?: "auto" | "array" | "unrolled";
  /** Of weights, by layer. Left out: 8. */
  readonly weightBits?: readonly [number, ...number[]];
}

/** A guess with the band in which the tools' answer is expected. */
export interface Estimate {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  readonly available: number;
}

export type Forecast =
  | {
      readonly fits: true;
      /** Of the array; null: unrolled, every weight has adders of its own. */
      readonly lanes: number | null;
      /** Exact for the array: its schedule depends on sizes only. */
      readonly cycles: Estimate;
      readonly clockHz: number;
      readonly microseconds: number;
      readonly lut: Estimate;
      readonly bramBlocks: Estimate;
      readonly dsp: Estimate;
      readonly buildSeconds: Estimate;
    }
  | {
      readonly fits: false;
      /** `needs 41 block RAMs of 30`. */
      readonly lack: string;
      /** The largest sizes of the same form, hidden layers scaled alike, that fit; null if none does. */
      readonly nearest: readonly number[] | null;
    };

/** Relative error of the cell estimate on placed designs, and of the build time across machines. */
const cellError = 0.15;
const timeError = 0.6;

/** Forecasts a build before it is asked for. Pure and quick enough for every key press. */
export function forecast(request: ForecastRequest): Forecast {
  const { sizes, board, lanes = null, architecture = "auto" } = request;
  const part = { ...board.part.resources, family: board.part.family };
  if (architecture !== "array" && lanes === null) {
    const unrolled = forecastUnrolled(request);
    if (unrolled.fits || architecture === "unrolled") return unrolled;
  }
  const result = choose(sizes, part, lanes);
  if (!result.ok) {
    return { fits: false, lack: result.lack, nearest: nearestSizes(sizes, part, lanes) };
  }
  const { schedule, estimate } = result.choice;
  const clockHz = believedClockHz(board, estimate.multipliers.paired);
  return {
    fits: true,
    lanes: schedule.lanes,
    cycles: band(schedule.latencyCycles, 0, 0),
    clockHz,
    microseconds: (schedule.latencyCycles / clockHz) * 1e6,
    lut: band(estimate.lut, part.lut, cellError),
    bramBlocks: band(estimate.bramBlocks, part.bramBlocks, 0),
    dsp: band(estimate.dsp, part.dsp, 0),
    buildSeconds: band(buildSeconds(estimate.lut), 0, timeError),
  };
}

/** Before the weights are read: bands are wide, and what fits closely may end as the array. */
function forecastUnrolled({
  sizes,
  board,
  architecture = "auto",
  weightBits = [8],
}: ForecastRequest): Forecast {
  const { resources: part, family } = board.part;
  const guess = guessUnrolled({ sizes, weightBits, family });
  const lut = guess.lut + shellCells.lut;
  const flipFlops = guess.flipFlops + shellCells.flipFlops;
  const limit = architecture === "auto" ? mostCells : Number.POSITIVE_INFINITY;
  const usable = Math.min(limit, Math.floor(part.lut * usableCells));
  const usableFlipFlops = Math.floor(part.ff * usableCells);
  if (lut > usable || flipFlops > usableFlipFlops) {
    const lack =
      lut > usable
        ? `needs about ${lut} logic cells of ${usable} usable when unrolled`
        : `needs about ${flipFlops} flip-flops of ${usableFlipFlops} usable when unrolled`;
    return { fits: false, lack, nearest: null };
  }
  const clockHz = believedClockHz(board);
  return {
    fits: true,
    lanes: null,
    cycles: band(guess.cycles, 0, unrolledErrors.cycles),
    clockHz,
    microseconds: (guess.cycles / clockHz) * 1e6,
    lut: band(lut, part.lut, unrolledErrors.cells),
    bramBlocks: band(shellCells.bramBlocks, part.bramBlocks, 0),
    dsp: band(0, part.dsp, 0),
    buildSeconds: band(buildSeconds(lut), 0, timeError),
  };
}

const band = (expected: number, available: number, error: number): Estimate => ({
  expected,
  low: Math.floor(expected * (1 - error)),
  high: Math.ceil(expected * (1 + error)),
  available,
});

/** The highest of the board's clocks that designs of this kind are known to reach, or its slowest. */
function believedClockHz({ part, standardClocksHz }: BoardModel, ownMultipliers = false): number {
  const reachable = getFamily(part).believedClockHz(part, ownMultipliers);
  const clocks = [...standardClocksHz].sort((a, b) => b - a);
  return clocks.find((hz) => hz <= reachable) ?? clocks.at(-1) ?? 12e6;
}

/** The largest sizes of the same form that fit: hidden layers scaled alike, in steps of a twentieth. */
export function nearestSizes(
  sizes: readonly number[],
  part: ArrayPart,
  lanes: number | null = null,
): readonly number[] | null {
  if (sizes.length < 3) return null;
  for (let twentieths = 19; twentieths >= 1; twentieths--) {
    const scaled = sizes.map((size, index) =>
      index === 0 || index === sizes.length - 1
        ? size
        : Math.max(1, Math.floor((size * twentieths) / 20)),
    );
    if (choose(scaled, part, lanes).ok) return scaled;
  }
  return null;
}

function choose(
  sizes: readonly number[],
  part: ArrayPart,
  lanes: number | null,
): { ok: true; choice: Choice } | { ok: false; lack: string } {
  const layers: LayerShape[] = sizes
    .slice(1)
    .map((outputSize, index) => ({ inputSize: sizes[index] ?? 1, outputSize }));
  // Safe for any weights; the compiler, which knows them, usually saves two or three bits.
  const width = 17 + Math.ceil(Math.log2(Math.max(...sizes)));
  return chooseLanes(layers, width, part, lanes);
}

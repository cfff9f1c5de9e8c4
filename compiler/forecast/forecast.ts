import { type BoardModel, getFamily } from "@/boards";
import { type Choice, chooseLanes, type LayerShape, type PartResources } from "../schedule";

export interface ForecastRequest {
  /** Inputs, then the outputs of every dense layer: `[64, 32, 32, 10]`. */
  readonly sizes: readonly number[];
  /** One that designs can be built for. */
  readonly board: BoardModel;
  readonly lanes?: number | null;
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
      readonly lanes: number;
      /** Exact: the schedule depends on sizes only. */
      readonly cycles: number;
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
  const { sizes, board, lanes = null } = request;
  const part = board.part.resources;
  const result = choose(sizes, part, lanes);
  if (!result.ok) {
    return { fits: false, lack: result.lack, nearest: nearestSizes(sizes, part, lanes) };
  }
  const { schedule, estimate } = result.choice;
  const clockHz = believedClockHz(board);
  const band = (expected: number, available: number, error: number): Estimate => ({
    expected,
    low: Math.floor(expected * (1 - error)),
    high: Math.ceil(expected * (1 + error)),
    available,
  });
  return {
    fits: true,
    lanes: schedule.lanes,
    cycles: schedule.latencyCycles,
    clockHz,
    microseconds: (schedule.latencyCycles / clockHz) * 1e6,
    lut: band(estimate.lut, part.lut, cellError),
    bramBlocks: band(estimate.bramBlocks, part.bramBlocks, 0),
    dsp: band(estimate.dsp, part.dsp, 0),
    buildSeconds: band(Math.round(8 + estimate.lut / 100), 0, timeError),
  };
}

/** The highest of the board's clocks that designs of this kind are known to reach, or its slowest. */
function believedClockHz({ part, standardClocksHz }: BoardModel): number {
  const reachable = getFamily(part).believedClockHz(part);
  const clocks = [...standardClocksHz].sort((a, b) => b - a);
  return clocks.find((hz) => hz <= reachable) ?? clocks.at(-1) ?? 12e6;
}

/** The largest sizes of the same form that fit: hidden layers scaled alike, in steps of a twentieth. */
export function nearestSizes(
  sizes: readonly number[],
  part: PartResources,
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
  part: PartResources,
  lanes: number | null,
): { ok: true; choice: Choice } | { ok: false; lack: string } {
  const layers: LayerShape[] = sizes
    .slice(1)
    .map((outputSize, index) => ({ inputSize: sizes[index] ?? 1, outputSize }));
  // Safe for any weights; the compiler, which knows them, usually saves two or three bits.
  const width = 17 + Math.ceil(Math.log2(Math.max(...sizes)));
  return chooseLanes(layers, width, part, lanes);
}

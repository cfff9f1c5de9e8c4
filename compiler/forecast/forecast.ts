import { type BoardModel, getFamily } from "@/boards";
import type { Outline } from "@/lib/common/contract";
import { limited, willingOf } from "../architectures/attempts";
import type { Estimable, EstimateRequest } from "../architectures/estimator";
import { estimators } from "../architectures/estimators";
import { targetOf } from "../target/part";
import { buildSeconds } from "./build-seconds";
import { bytesOnLine } from "./line";
import type { Estimate, Forecast, ForecastRequest, LackingForecast } from "./types";

/** Relative error of the build time across machines. */
const timeError = 0.6;

/**
 * Forecasts a build before it is asked for, by the planner's own estimates of the architectures in question. Pure and quick
 * enough for every key press.
 *
 * @throws {AppError} `OPTION_INVALID` for options that do not go with the model or the board.
 */
export function forecast(request: ForecastRequest): Forecast {
  const { board, lanes = null, architecture = "auto" } = request;
  const asked = { target: targetOf(board), wish: { architecture, lanes } };
  const { willing } = willingOf(estimablesOf(request), asked.wish, (each) => each.check(asked));
  let lacking: LackingForecast | null = null;
  for (const { way, mostCells } of limited(willing)) {
    const limits: EstimateRequest = { ...asked, mostCells };
    const estimate = way.estimate(limits);
    if (estimate.fits) return onBoard(estimate, way, request);
    const { lack, lacking: resources } = estimate;
    lacking = { fits: false, lack, lacking: resources, nearest: null };
    if (way === willing.at(-1)) lacking = { ...lacking, nearest: way.nearest(limits) };
  }
  if (!lacking) throw new RangeError("An outline is of a model that some architecture takes.");
  return lacking;
}

/** The estimators that have an outline of the model, at the bits that are asked for. */
function estimablesOf({ outline, precision }: ForecastRequest): Estimable[] {
  const { cores, hasOwnBits } = outline;
  return estimators.flatMap((each) => {
    const own = cores[each.id];
    return own ? [each.of(own, hasOwnBits ? null : (precision ?? null))] : [];
  });
}

type Fitting = Extract<ReturnType<Estimable["estimate"]>, { fits: true }>;

function onBoard(
  { resources, latencyCycles, lanes, ownMultipliers }: Fitting,
  { id, errors }: Estimable,
  { board, outline, clockHz: wantedHz }: ForecastRequest,
): Forecast {
  const { resources: part } = board.part;
  const { lut, flipFlops, bramBlocks, dsp } = resources;
  const clockHz = wantedHz ?? believedClockHz(board, ownMultipliers);
  return {
    fits: true,
    architecture: id,
    lanes,
    cycles: band(latencyCycles, 0, errors.cycles),
    clockHz,
    microseconds: (latencyCycles / clockHz) * 1e6,
    linkMicroseconds: linkMicrosecondsOf(board, outline),
    lut: band(lut, part.lut, errors.cells),
    flipFlops: band(flipFlops, part.ff, errors.cells),
    bramBlocks: band(bramBlocks, part.bramBlocks, 0),
    dsp: band(dsp, part.dsp, 0),
    buildSeconds: band(buildSeconds(lut), 0, timeError),
  };
}

/** With start and stop bit. */
const bitsPerByte = 10;

function linkMicrosecondsOf({ links }: BoardModel, row: Outline): number | null {
  const baud = links.find((each) => each.kind === "uart")?.baud;
  return baud === undefined ? null : (bytesOnLine(row) * bitsPerByte * 1e6) / baud;
}

const band = (expected: number, available: number, error: number): Estimate => ({
  expected,
  low: Math.floor(expected * (1 - error)),
  high: Math.ceil(expected * (1 + error)),
  available,
});

/** The highest of the board's clocks that designs of this kind are known to reach, or its slowest. */
function believedClockHz({ part, standardClocksHz }: BoardModel, ownMultipliers: boolean): number {
  const reachable = getFamily(part).believedClockHz(part, ownMultipliers);
  const clocks = [...standardClocksHz].sort((a, b) => b - a);
  return clocks.find((hz) => hz <= reachable) ?? clocks.at(-1) ?? 12e6;
}

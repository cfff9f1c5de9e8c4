import { type BoardModel, getFamily } from "@/boards";
import { buildSeconds } from "./build-seconds";
import { guessDense } from "./forecast-dense";
import { guessMaps } from "./forecast-maps";
import { guessTrees } from "./forecast-trees";
import { bytesOnLine } from "./line";
import type { CoreGuess, Estimate, Forecast, ForecastRequest, Guess } from "./types";

/** Relative error of the build time across machines. */
const timeError = 0.6;

/**
 * Forecasts a build before it is asked for. Pure and quick enough for every key press.
 *
 * @throws {AppError} `OPTION_INVALID` for options that do not go with the model or the board.
 */
export function forecast(request: ForecastRequest): Forecast {
  const guess = guessCore(request);
  return guess.fits ? onBoard(guess.core, request) : guess;
}

function guessCore(request: ForecastRequest): Guess {
  const { outline } = request;
  if (outline.kind === "dense") return guessDense(outline, request);
  return outline.kind === "maps" ? guessMaps(outline, request) : guessTrees(outline, request);
}

function onBoard(core: CoreGuess, { board, clockHz: wantedHz }: ForecastRequest): Forecast {
  const { resources: part } = board.part;
  const { cycles, lut, flipFlops, bramBlocks, dsp, errors } = core;
  const clockHz = wantedHz ?? believedClockHz(board, core.ownMultipliers);
  const baud = board.links.find((each) => each.kind === "uart")?.baud;
  return {
    fits: true,
    architecture: core.architecture,
    lanes: core.lanes,
    cycles: band(cycles, 0, errors.cycles),
    clockHz,
    microseconds: (cycles / clockHz) * 1e6,
    linkMicroseconds: baud === undefined ? null : (bytesOnLine(core) * bitsPerByte * 1e6) / baud,
    lut: band(lut, part.lut, errors.cells),
    flipFlops: band(flipFlops, part.ff, errors.cells),
    bramBlocks: band(bramBlocks, part.bramBlocks, 0),
    dsp: band(dsp, part.dsp, 0),
    buildSeconds: band(buildSeconds(lut), 0, timeError),
  };
}

/** With start and stop bit. */
const bitsPerByte = 10;

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

import { type BoardModel, getFamily } from "@/boards";
import type { Outline } from "@/lib/common/contract";
import type { DesignResources } from "../architectures/architecture";
import { buildSeconds } from "./build-seconds";
import { bytesOnLine } from "./line";
import type { Estimate, FittingForecast } from "./types";

/** Relative error of the build time across machines. */
const timeError = 0.6;

/** A core that fits, whoever estimated it. */
export interface ForecastCore
  extends Pick<FittingForecast, "architecture" | "lanes" | "form">,
    Pick<Outline, "inputBytes" | "outputBytes"> {
  readonly resources: DesignResources;
  readonly latencyCycles: number;
  /** Relative errors of both. */
  readonly errors: { readonly cells: number; readonly cycles: number };
  readonly ownMultipliers: boolean;
  /** The share of the clock that the family is believed to reach with the compiler's own cores; left out: all of it. */
  readonly clockShare?: number;
}

/** What a core comes to on a board. @param wantedHz One of its clocks; left out: the highest that is believed. */
export function forecastOn(
  board: BoardModel,
  core: ForecastCore,
  wantedHz?: number | undefined,
): FittingForecast {
  const { architecture, lanes, form, latencyCycles, errors } = core;
  const { resources: part } = board.part;
  const { lut, flipFlops, bramBlocks, dsp } = core.resources;
  const clockHz = wantedHz ?? believedClockHz(board, core);
  return {
    fits: true,
    architecture,
    lanes,
    form,
    cycles: band(latencyCycles, 0, errors.cycles),
    clockHz,
    microseconds: (latencyCycles / clockHz) * 1e6,
    linkMicroseconds: linkMicrosecondsOf(board, core),
    lut: band(lut, part.lut, errors.cells),
    flipFlops: band(flipFlops, part.ff, errors.cells),
    bramBlocks: band(bramBlocks, part.bramBlocks, 0),
    dsp: band(dsp, part.dsp, 0),
    buildSeconds: band(buildSeconds(lut), 0, timeError),
  };
}

/** With start and stop bit. */
const bitsPerByte = 10;

function linkMicrosecondsOf(
  { links }: BoardModel,
  row: Pick<Outline, "inputBytes" | "outputBytes">,
): number | null {
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
function believedClockHz(
  { part, standardClocksHz }: BoardModel,
  { ownMultipliers, clockShare = 1 }: ForecastCore,
): number {
  const reachable = clockShare * getFamily(part).believedClockHz(part, ownMultipliers);
  const clocks = [...standardClocksHz].sort((a, b) => b - a);
  return clocks.find((hz) => hz <= reachable) ?? clocks.at(-1) ?? 12e6;
}

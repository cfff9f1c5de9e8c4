import type { BoardModel } from "@/boards";
import {
  type Forecast,
  type ForecastRequest,
  fitCandidates,
  forecast,
  fractionFor,
  precisions,
  weightBitsOf,
} from "@/compiler/forecast";
import type { Outline } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { hasKey } from "@/lib/common/records";
import type { EngineForecast, WeightGrid } from "../engine-forecast";

/** What the compiler's cores come to, by its planner's own estimates. Runs in browsers. */
export const boardwalkForecast: EngineForecast = {
  forecast: forecastFor,
  candidates: fitCandidates,
  weightGrid,
};

function weightGrid(
  options: Readonly<Record<string, unknown>>,
  layer: number,
  magnitude: number,
): WeightGrid {
  const bits = weightBitsOf(precisionOf(options), layer);
  const steps = 2 ** (bits - 1) - 1;
  return { bits, limit: steps * 2 ** -fractionFor(magnitude, steps) };
}

/** A forecast with the engine's options as the form has them; what the engine would refuse makes a forecast that says so. */
function forecastFor(
  outline: Outline,
  board: BoardModel,
  options: Readonly<Record<string, unknown>>,
): Forecast {
  const { lanes, architecture, clockHz } = options;
  const request: ForecastRequest = {
    outline,
    board,
    lanes: typeof lanes === "number" ? lanes : null,
    architecture: architecture === "array" || architecture === "unrolled" ? architecture : "auto",
    precision: precisionOf(options),
    clockHz: board.standardClocksHz.find((hz) => hz === clockHz),
  };
  try {
    return forecast(request);
  } catch (error) {
    // Options that go against board or model: more lanes than there are multipliers.
    if (!isAppError(error)) throw error;
    return { fits: false, lack: `cannot be: ${error.message}`, lacking: [], nearest: null };
  }
}

function precisionOf({
  precision,
  inputBits,
  weightBits,
  activationBits,
}: Readonly<Record<string, unknown>>): NonNullable<ForecastRequest["precision"]> {
  const known = typeof precision === "string" && hasKey(precisions, precision);
  const named = precisions[known ? precision : "exact-ish"];
  const [first, ...rest] = [weightBits].flat().filter((each) => typeof each === "number");
  return {
    inputBits: typeof inputBits === "number" ? inputBits : named.inputBits,
    weightBits: first === undefined ? named.weightBits : [first, ...rest],
    activationBits: typeof activationBits === "number" ? activationBits : named.activationBits,
  };
}

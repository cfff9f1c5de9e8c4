import { boardwalkForecast } from "../boardwalk/forecast";
import { machineForecast } from "../bondmachine/forecast";
import type { EngineForecast } from "../engine-forecast";
import { adderForecast } from "../hls4ml/forecast";

export { type BoardFit, fitOnBoard, waysToFit } from "./fit-on-board";

/** By engine; those that are not here have none. Apart from the engines, since browsers load it. */
const forecasts: ReadonlyMap<string, EngineForecast> = new Map([
  ["boardwalk", boardwalkForecast],
  ["bondmachine", machineForecast],
  ["hls4ml", adderForecast],
]);

/** How an engine's builds are forecast; null: the build tells. */
export const findForecast = (engine: string): EngineForecast | null =>
  forecasts.get(engine) ?? null;

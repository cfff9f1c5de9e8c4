import { limited, willingOf } from "../architectures/attempts";
import type { Estimable, EstimateRequest } from "../architectures/estimator";
import { estimators } from "../architectures/estimators";
import { targetOf } from "../target/part";
import { forecastOn } from "./on-board";
import type { Forecast, ForecastRequest, LackingForecast } from "./types";

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
  { board, outline, clockHz }: ForecastRequest,
): Forecast {
  const { inputBytes, outputBytes } = outline;
  const form = formInWords(id, lanes);
  const core = { architecture: id, lanes, form, resources, latencyCycles, errors, ownMultipliers };
  return forecastOn(board, { ...core, inputBytes, outputBytes }, clockHz);
}

function formInWords(architecture: string, lanes: number | null): string {
  if (architecture === "trees") return "all trees side by side";
  if (lanes === null) return "unrolled: adders for every weight";
  return `${lanes} ${lanes === 1 ? "lane" : "lanes"}`;
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { type BoardModel, findBoardModel, findFamily } from "@/boards";
import {
  type Estimate,
  type Forecast,
  type ForecastRequest,
  fitCandidates,
  fitsThatHold,
  forecast,
  learn,
  precisions,
} from "@/compiler/forecast";
import { forecastErrorsQuery } from "@/components/forecasts";
import {
  Amount,
  formatCount,
  formatMhz,
  quantityOfNs,
  ResourceBar,
  ToneIcon,
} from "@/components/ui";
import type { Fit, Inspection } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { denseSizes } from "./dense-sizes";

/** What the build will come to, as far as it can be known before: each number with its error. */
export function ForecastPanel({
  facts,
  boardModel,
  options,
  onFit,
}: {
  facts: Inspection;
  boardModel: string;
  options: Readonly<Record<string, unknown>>;
  onFit: (fit: Fit) => void;
}) {
  const errors = useQuery(forecastErrorsQuery()).data?.items ?? [];
  const board = findBoardModel(boardModel);
  const sizes = denseSizes(facts);
  if (!board || !sizes || !findFamily(board.part)) {
    return (
      <div className="mb-5">
        <h2 className="mb-2">Forecast</h2>
        <p className="text-dense text-muted">
          There is no forecast for this model on {board?.name ?? boardModel}. The build tells.
        </p>
      </div>
    );
  }
  const guess = forecastOf(sizes, board, options);
  const fits = guess.fits
    ? []
    : fitsThatHold(fitCandidates(options, board), (fit) => {
        const other = fit.board === undefined ? board : findBoardModel(fit.board);
        return other !== null && forecastOf(sizes, other, fit.options).fits;
      });
  return (
    <div className="mb-5" aria-live="polite">
      <h2>Forecast</h2>
      <p className="mb-3 text-dense text-muted">{board.name}, before any tool has run</p>
      {guess.fits ? (
        <Fits {...learn(guess, board.part.family, errors)} />
      ) : (
        <Lacks guess={guess} boardName={board.name} fits={fits} onFit={onFit} />
      )}
    </div>
  );
}

/** As the engine reads the options; one that it would refuse makes no difference here. */
function forecastOf(
  sizes: readonly number[],
  board: BoardModel,
  { lanes, architecture, weightBits, precision }: Readonly<Record<string, unknown>>,
): Forecast {
  const named = precisions[precision as keyof typeof precisions] ?? precisions["exact-ish"];
  const [first, ...rest] = [weightBits].flat().filter((each) => typeof each === "number");
  const request: ForecastRequest = {
    sizes,
    board,
    lanes: typeof lanes === "number" ? lanes : null,
    architecture: architecture === "array" || architecture === "unrolled" ? architecture : "auto",
    weightBits: first === undefined ? named.weightBits : [first, ...rest],
  };
  try {
    return forecast(request);
  } catch (error) {
    // Options that go against the board: more lanes than it has multipliers.
    if (!isAppError(error)) throw error;
    return { fits: false, lack: `cannot be: ${error.message}`, nearest: null };
  }
}

function Fits({ guess, builds }: ReturnType<typeof learn>) {
  return (
    <>
      <div className="flex items-end justify-between gap-3">
        <span className="text-big leading-tight font-strong text-copper">
          {formatCount(guess.cycles.expected)}
        </span>
        <span className="pb-1.5 text-dense text-muted">
          cycles ± {formatCount(guess.cycles.high - guess.cycles.expected)}
        </span>
      </div>
      <p className="mb-4 text-dense text-muted">
        <Amount {...quantityOfNs(guess.microseconds * 1000)} /> at {formatMhz(guess.clockHz)},{" "}
        {guess.lanes === null
          ? "unrolled: adders for every weight"
          : `${guess.lanes} ${guess.lanes === 1 ? "lane" : "lanes"}`}
      </p>
      <EstimateBar name="Logic cells" estimate={guess.lut} />
      <EstimateBar name="Block RAM" estimate={guess.bramBlocks} />
      <EstimateBar name="Multipliers" estimate={guess.dsp} />
      <p className="flex justify-between text-dense">
        <span>Build</span>
        <span>
          about <Amount value={String(guess.buildSeconds.expected)} unit="s" />
          <span className="text-muted">
            , {guess.buildSeconds.low} to {guess.buildSeconds.high}
          </span>
        </span>
      </p>
      <p className="mt-1 text-label text-muted">
        {builds === 0
          ? "By formulas: few builds like it have ended here."
          : `Learnt from ${formatCount(builds)} builds like it here.`}
      </p>
    </>
  );
}

function EstimateBar({ name, estimate }: { name: string; estimate: Estimate }) {
  const { expected, low, high, available } = estimate;
  if (available === 0 && expected === 0) return null;
  const margin = high > expected ? (high - low) / 2 / Math.max(1, expected) : undefined;
  return <ResourceBar guess name={name} used={expected} available={available} margin={margin} />;
}

function Lacks({
  guess,
  boardName,
  fits,
  onFit,
}: {
  guess: Extract<Forecast, { fits: false }>;
  boardName: string;
  fits: readonly Fit[];
  onFit: (fit: Fit) => void;
}) {
  return (
    <div className="border-l-2 border-bad py-1 pl-4 text-dense">
      <p className="flex items-baseline gap-2">
        <ToneIcon tone="bad" />
        <span>
          It will not fit: on {boardName} it {guess.lack}.
        </span>
      </p>
      {guess.nearest ? (
        <p className="mt-1 text-muted">Layers of {guess.nearest.join(" → ")} would fit.</p>
      ) : null}
      {fits.length > 0 ? (
        <>
          <p className="mt-2 text-muted">What would fit:</p>
          <p className="mt-1 flex flex-wrap gap-2">
            {fits.map((fit) => (
              <button
                key={fit.title}
                type="button"
                className="btn btn-dense"
                onClick={() => onFit(fit)}
              >
                {fit.title}
              </button>
            ))}
          </p>
        </>
      ) : null}
      <p className="mt-2 text-muted">A CPU takes it as it is.</p>
    </div>
  );
}

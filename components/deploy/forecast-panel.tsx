"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type BoardModel, findBoardModel, findFamily } from "@/boards";
import { fitsThatHold, learn } from "@/compiler/forecast";
import { forecastDeviationsQuery } from "@/components/forecasts";
import { findForecast } from "@/engines/forecast";
import type { EqualBuilds, Fit, Inspection } from "@/lib/common/contract";
import { ForecastFigures } from "./forecast-figures";
import { ForecastLack } from "./forecast-lack";
import { measuredGuess } from "./measured-guess";

/** What the build will come to, as far as it can be known before: each number with its error. */
export function ForecastPanel({
  engine,
  facts,
  boardModel,
  options,
  equal,
  onFit,
}: {
  engine: string;
  facts: Inspection;
  boardModel: string;
  options: Readonly<Record<string, unknown>>;
  /** What builds of the very same request came to; null until that is known. */
  equal: EqualBuilds | null;
  onFit: (fit: Fit) => void;
}) {
  const t = useTranslations("deploy.forecast");
  const deviations = useQuery(forecastDeviationsQuery()).data?.items ?? [];
  const board = findBoardModel(boardModel);
  const outline = facts.outlines?.[engine];
  const forecasts = findForecast(engine);
  if (!board || !outline || !forecasts || !findFamily(board.part)) {
    return (
      <div className="mb-5">
        <h2 className="mb-2">{t("title")}</h2>
        <p className="text-dense text-muted">{t("none", { board: board?.name ?? boardModel })}</p>
      </div>
    );
  }
  const guess = forecasts.forecast(outline, board, options);
  const clocksHz = options["clockHz"] === undefined ? board.standardClocksHz : null;
  const holds = (fit: Fit) => {
    const other = boardOf(fit, board);
    return other !== null && forecasts.forecast(outline, other, fit.options).fits;
  };
  return (
    <div className="mb-5" aria-live="polite">
      <h2>{t("title")}</h2>
      <p className="mb-3 text-dense text-muted">{t("before", { board: board.name })}</p>
      {guess.fits ? (
        <ForecastFigures
          {...withMeasured(
            learn(guess, { family: board.part.family, clocksHz }, deviations),
            equal,
          )}
          equal={equal}
        />
      ) : (
        <ForecastLack
          guess={guess}
          boardName={board.name}
          fits={fitsThatHold(forecasts.candidates(options, board), holds)}
          onFit={onFit}
        />
      )}
    </div>
  );
}

const withMeasured = (
  learnt: ReturnType<typeof learn>,
  equal: EqualBuilds | null,
): ReturnType<typeof learn> => ({ ...learnt, guess: measuredGuess(learnt.guess, equal) });

const boardOf = ({ board: id }: Fit, board: BoardModel): BoardModel | null =>
  id === undefined ? board : findBoardModel(id);

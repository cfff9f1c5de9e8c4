"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { formatCount, formatNs, formatShare, saveFile, ToneIcon } from "@/components/ui";
import { Scroller } from "../answer/scroller";
import { Failures } from "./failures";
import { countWinners, csvOfRows, type RowResult, rowResults } from "./row-results";
import type { ManyRun } from "./use-many";

const rowsAtOnce = 50;

/** What many rows were answered: how many as expected, how often each class, and a table of all of them. */
export function BatchReport({
  run,
  endpointName,
  classes,
}: {
  run: ManyRun;
  endpointName: string;
  classes: readonly string[] | undefined;
}) {
  const t = useTranslations("predictions");
  const [first, setFirst] = useState(0);
  const [onlyWrong, setOnlyWrong] = useState(false);
  const rows = rowResults(run, classes);
  const judged = rows.filter(({ isRight }) => isRight !== null);
  const right = judged.filter(({ isRight }) => isRight).length;
  const shown = onlyWrong ? rows.filter(({ isRight }) => isRight === false) : rows;
  const page = shown.slice(first, first + rowsAtOnce);
  return (
    <>
      {judged.length > 0 ? (
        <p className="mt-3">
          {t("rightOf", { right, all: judged.length, share: formatShare(right / judged.length) })}
        </p>
      ) : null}
      <WinnerCounts rows={rows} />
      <Failures results={run.results} />
      {rows.length > 0 ? (
        <>
          <div className="mt-3 flex flex-wrap items-center gap-3 text-dense">
            <button
              type="button"
              className="btn btn-dense"
              onClick={() =>
                saveFile(`${endpointName}-answers.csv`, csvOfRows(rows, classes), "text/csv")
              }
            >
              {t("downloadCsv")}
            </button>
            {judged.length > 0 ? (
              <label className="flex min-h-6 items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4"
                  checked={onlyWrong}
                  onChange={(event) => {
                    setOnlyWrong(event.target.checked);
                    setFirst(0);
                  }}
                />
                {t("onlyWrong")}
              </label>
            ) : null}
            <span className="text-muted">
              {t("rowsShown", {
                from: shown.length === 0 ? 0 : first + 1,
                to: first + page.length,
                count: shown.length,
              })}
            </span>
            <button
              type="button"
              className="btn btn-dense"
              disabled={first === 0}
              onClick={() => setFirst(first - rowsAtOnce)}
            >
              {t("previous")}
            </button>
            <button
              type="button"
              className="btn btn-dense"
              disabled={first + rowsAtOnce >= shown.length}
              onClick={() => setFirst(first + rowsAtOnce)}
            >
              {t("next")}
            </button>
          </div>
          <RowTable rows={page} classes={classes} />
        </>
      ) : null}
    </>
  );
}

function WinnerCounts({ rows }: { rows: readonly RowResult[] }) {
  const t = useTranslations("predictions");
  const counts = countWinners(rows);
  const [most] = counts;
  if (!most) return null;
  return (
    <ol
      aria-label={t("winnersOfRows")}
      className="mt-3 grid max-w-[560px] grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1"
    >
      {counts.slice(0, 20).map(({ words, count }) => (
        <li key={words} className="col-span-3 grid grid-cols-subgrid items-center text-dense">
          <span className="max-w-40 truncate font-mono">{words}</span>
          <span aria-hidden="true" className="bar h-3!">
            <i
              className="bar-fill bg-accent!"
              style={{ width: `${(count / most.count) * 100}%` }}
            />
          </span>
          <span className="text-right">{formatCount(count)}</span>
        </li>
      ))}
    </ol>
  );
}

function RowTable({
  rows,
  classes,
}: {
  rows: readonly RowResult[];
  classes: readonly string[] | undefined;
}) {
  const t = useTranslations("predictions");
  const areExpected = rows.some(({ expected }) => expected !== null);
  return (
    <Scroller label={t("answersOfRows")} className="mt-2 max-h-[420px]">
      <table className="table list text-dense">
        <caption className="sr-only">{t("answersOfRows")}</caption>
        <thead>
          <tr>
            <th className="num">{t("row")}</th>
            <th>{t("answered")}</th>
            <th className="num">{t("score")}</th>
            {areExpected ? <th>{t("expected")}</th> : null}
            <th className="num">{t("requestTime")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, words, score, expected, isRight, requestNs }) => (
            <tr key={row}>
              <td className="num list-title">{row + 1}</td>
              <td className="list-line" data-label={t("answered")}>
                <span className="break-words">{words}</span>
              </td>
              <td className="num list-line" data-label={t("score")}>
                {score ?? "–"}
              </td>
              {areExpected ? (
                <td className="list-line" data-label={t("expected")}>
                  {expected === null ? (
                    "–"
                  ) : (
                    <span className="inline-flex items-baseline gap-2">
                      <ToneIcon tone={isRight ? "ok" : "warn"} />
                      {classes?.[expected] ?? String(expected)}
                    </span>
                  )}
                </td>
              ) : null}
              <td className="num list-line" data-label={t("requestTime")}>
                {formatNs(requestNs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import type { RequestGrid } from "../request/request-grid";
import { BatchReport } from "./batch-report";
import { RepeatReport } from "./repeat-report";
import type { useMany } from "./use-many";

const mostTimes = 10_000;

/** Sends the rows of the request in batches, or the request again and again; what was answered stays when it is stopped. */
export function ManyPanel({
  endpointName,
  classes,
  maxBatchSize,
  grid,
  labels,
  text,
  many,
}: {
  endpointName: string;
  classes: readonly string[] | undefined;
  maxBatchSize: number;
  grid: RequestGrid | null;
  labels: readonly (number | null)[] | null;
  text: string;
  many: ReturnType<typeof useMany>;
}) {
  const t = useTranslations("predictions");
  const id = useId();
  const [times, setTimes] = useState(100);
  const [size, setSize] = useState(Math.max(1, maxBatchSize));
  const { run } = many;
  const rows = grid?.isBatched ? grid.rows : 0;
  const areTimes = Number.isInteger(times) && times >= 1 && times <= mostTimes;
  const isSize = Number.isInteger(size) && size >= 1 && size <= Math.max(1, maxBatchSize);
  return (
    <section aria-label={t("many")} className="mt-10 border-t border-line pt-4">
      <h2>{t("many")}</h2>
      <div className="mt-3 flex flex-wrap items-end gap-x-8 gap-y-4">
        <div className="flex flex-wrap items-end gap-2">
          <label htmlFor={`${id}-size`} className="text-dense">
            <span className="label block">
              {t("rowsPerRequest", { most: Math.max(1, maxBatchSize) })}
            </span>
            <input
              id={`${id}-size`}
              type="number"
              className="field h-9 w-28"
              min={1}
              max={Math.max(1, maxBatchSize)}
              value={Number.isNaN(size) ? "" : size}
              aria-invalid={!isSize || undefined}
              onChange={(event) => setSize(event.target.valueAsNumber)}
            />
          </label>
          <button
            type="button"
            className="btn"
            disabled={rows < 2 || !isSize || run?.running}
            onClick={() => grid && void many.sendRows(grid, labels, size)}
          >
            {rows < 2 ? t("sendRows") : t("sendAllRows", { rows })}
          </button>
        </div>
        <div className="flex flex-wrap items-end gap-2">
          <label htmlFor={`${id}-times`} className="text-dense">
            <span className="label block">{t("times", { most: mostTimes })}</span>
            <input
              id={`${id}-times`}
              type="number"
              className="field h-9 w-28"
              min={1}
              max={mostTimes}
              value={Number.isNaN(times) ? "" : times}
              aria-invalid={!areTimes || undefined}
              onChange={(event) => setTimes(event.target.valueAsNumber)}
            />
          </label>
          <button
            type="button"
            className="btn"
            disabled={!areTimes || run?.running}
            onClick={() => void many.repeat(text, times)}
          >
            {t("repeat")}
          </button>
        </div>
      </div>
      {rows < 2 ? <p className="mt-2 text-dense text-muted">{t("manyHint")}</p> : null}
      {run ? (
        <div className="mt-4">
          <div className="flex flex-wrap items-center gap-3">
            <progress
              className="h-2 w-48 accent-[var(--accent)]"
              max={run.parts.length}
              value={run.results.length}
              aria-label={t("progress")}
            />
            <span role="status" className="text-dense">
              {t(run.running ? "answeredOf" : "answeredEnd", {
                done: run.results.length,
                all: run.parts.length,
              })}
            </span>
            {run.running ? (
              <button type="button" className="btn btn-dense" onClick={many.stop}>
                {t("stop")}
              </button>
            ) : null}
          </div>
          {run.kind === "rows" ? (
            <BatchReport run={run} {...{ endpointName, classes }} />
          ) : (
            <RepeatReport run={run} />
          )}
        </div>
      ) : null}
    </section>
  );
}

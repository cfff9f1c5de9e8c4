"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorNote, formatCount } from "@/components/ui";
import type { NewSearch, PrecisionTry, Search } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { hasEnded, searchQuery, startSearch, stopSearch } from "./api";
import { cheapestOf } from "./cheapest";

// Only once a search has begun.
const TriesTable = dynamic(() => import("./tries-table").then((module) => module.TriesTable), {
  ssr: false,
});

/** Has the fewest bits looked for that still agree with the float model, and takes them over on demand. */
export function BitsSearch({
  request,
  onUse,
}: {
  /** What is searched for, but for the agreement; null while model or board are missing. */
  request: Omit<NewSearch, "agreement"> | null;
  onUse: (bits: Pick<PrecisionTry, "inputBits" | "weightBits" | "activationBits">) => void;
}) {
  const t = useTranslations("searches");
  const [percent, setPercent] = useState("99");
  const [begun, setBegun] = useState<{ id: string; of: string } | null>(null);
  const asked = JSON.stringify(request);
  const search = useQuery(searchQuery(begun?.id ?? ""));
  const start = useMutation({
    mutationFn: (body: NewSearch) => startSearch(body),
    onSuccess: ({ id }) => setBegun({ id, of: asked }),
  });
  const stop = useMutation({
    mutationFn: stopSearch,
    onSettled: () => search.refetch(),
  });
  const wanted = Number(percent) / 100;
  const isValid = wanted >= 0.5 && wanted <= 1;
  const isRunning = begun !== null && !(search.data && hasEnded(search.data));
  return (
    <div className="mt-4">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-2">
        <label htmlFor="search-agreement">{t("find")}</label>
        <input
          id="search-agreement"
          className="field h-8 w-20 text-dense"
          type="number"
          min={50}
          max={100}
          step="any"
          value={percent}
          aria-invalid={!isValid}
          onChange={(event) => setPercent(event.target.value)}
        />
        <span>{t("percent")}</span>
        {isRunning ? (
          <button
            type="button"
            className="btn btn-dense"
            disabled={stop.isPending}
            onClick={() => begun && stop.mutate(begun.id)}
          >
            {t("stop")}
          </button>
        ) : (
          <button
            type="button"
            className="btn btn-dense"
            disabled={request === null || !isValid || start.isPending}
            onClick={() => request && start.mutate({ ...request, agreement: wanted })}
          >
            {t("search")}
          </button>
        )}
      </p>
      {request === null ? <p className="text-dense text-muted">{t("giveFirst")}</p> : null}
      {start.isError ? <ErrorNote title={t("notStarted")} error={start.error} /> : null}
      {search.isError ? (
        <ErrorNote title={t("unreadable")} error={search.error} />
      ) : begun && search.data ? (
        <Found search={search.data} isStale={begun.of !== asked} onUse={onUse} />
      ) : null}
    </div>
  );
}

function Found({
  search,
  isStale,
  onUse,
}: {
  search: Search;
  isStale: boolean;
  onUse: Parameters<typeof BitsSearch>[0]["onUse"];
}) {
  const { result, problem } = search;
  const t = useTranslations("searches");
  const fewest = result?.best == null ? null : (result.tries[result.best] ?? null);
  const cheapest = result && cheapestOf(result);
  const best = cheapest == null ? null : (result?.tries[cheapest] ?? null);
  return (
    <div className="mt-3" aria-live="polite">
      {problem && problem.reason !== "CANCELLED" ? (
        <ErrorNote title={t("ended")} error={errorOf(problem)} />
      ) : null}
      <p className="mb-2 text-dense text-muted">
        {result
          ? t("progress", {
              state: statusOf(search),
              tries: formatCount(result.tries.length),
              most: formatCount(result.mostTries),
              rows: formatCount(result.testRows),
              source: result.source,
            })
          : problem
            ? null
            : t("waiting")}
        {result && result.sharedRows > 0
          ? ` ${t("shared", { count: formatCount(result.sharedRows) })}`
          : null}
      </p>
      {result && result.tries.length > 0 ? <TriesTable result={result} /> : null}
      {result && hasEnded(search) ? (
        best ? (
          <p className="mt-3 flex flex-wrap items-baseline gap-3">
            <button type="button" className="btn btn-dense" onClick={() => onUse(best)}>
              {t("use", {
                inputs: best.inputBits,
                weights: best.weightBits.join(" "),
                hidden: best.activationBits,
              })}
            </button>
            <span className="text-dense text-muted">
              {fewest && fewest.cells > best.cells
                ? t("byCells", {
                    cells: formatCount(best.cells),
                    others: formatCount(fewest.cells),
                  })
                : t("byBoth", { cells: formatCount(best.cells) })}{" "}
              {isStale ? t("stale") : t("measured")}
            </span>
          </p>
        ) : (
          <p className="mt-3 text-dense">{t("none")}</p>
        )
      ) : null}
    </div>
  );
}

const statusOf = ({ state, problem }: Search) =>
  state === "succeeded"
    ? "done"
    : problem?.reason === "CANCELLED"
      ? "stopped"
      : state === "failed"
        ? "ended"
        : "searching";

const errorOf = ({ message, hint }: NonNullable<Search["problem"]>) =>
  fail("VALIDATION", message, hint === undefined ? {} : { hint });

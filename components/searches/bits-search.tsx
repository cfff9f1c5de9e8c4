"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorNote, formatCount } from "@/components/ui";
import type { NewSearch, PrecisionTry, Search } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { hasEnded, searchQuery, startSearch, stopSearch } from "./api";
import { cheapestOf } from "./cheapest";
import { TriesTable } from "./tries-table";

/** Has the fewest bits looked for that still agree with the float model, and takes them over on demand. */
export function BitsSearch({
  request,
  onUse,
}: {
  /** What is searched for, but for the agreement; null while model or board are missing. */
  request: Omit<NewSearch, "agreement"> | null;
  onUse: (bits: Pick<PrecisionTry, "inputBits" | "weightBits" | "activationBits">) => void;
}) {
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
        <label htmlFor="search-agreement">Find the fewest bits that keep</label>
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
        <span>% agreement with the float model.</span>
        {isRunning ? (
          <button
            type="button"
            className="btn btn-dense"
            disabled={stop.isPending}
            onClick={() => begun && stop.mutate(begun.id)}
          >
            Stop the search
          </button>
        ) : (
          <button
            type="button"
            className="btn btn-dense"
            disabled={request === null || !isValid || start.isPending}
            onClick={() => request && start.mutate({ ...request, agreement: wanted })}
          >
            Search
          </button>
        )}
      </p>
      {request === null ? (
        <p className="text-dense text-muted">Give a model and a board first.</p>
      ) : null}
      {start.isError ? <ErrorNote title="The search did not start." error={start.error} /> : null}
      {search.isError ? (
        <ErrorNote title="The search cannot be read." error={search.error} />
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
        <ErrorNote title="The search ended." error={errorOf(problem)} />
      ) : null}
      <p className="mb-2 text-dense text-muted">
        {result
          ? `${statusOf(search)} ${formatCount(result.tries.length)} of at most ${formatCount(result.mostTries)} tries, on ${formatCount(result.testRows)} rows of ${result.source}.`
          : problem
            ? null
            : "Waiting for a worker, then reading model and rows."}
        {result && result.sharedRows > 0
          ? ` ${formatCount(result.sharedRows)} of them are also among the rows to calibrate with.`
          : null}
      </p>
      {result && result.tries.length > 0 ? <TriesTable result={result} /> : null}
      {result && hasEnded(search) ? (
        best ? (
          <p className="mt-3 flex flex-wrap items-baseline gap-3">
            <button type="button" className="btn btn-dense" onClick={() => onUse(best)}>
              Use {best.inputBits}, {best.weightBits.join(" ")} and {best.activationBits} bits
            </button>
            <span className="text-dense text-muted">
              {fewest && fewest.cells > best.cells
                ? t("byCells", {
                    cells: formatCount(best.cells),
                    others: formatCount(fewest.cells),
                  })
                : t("byBoth", { cells: formatCount(best.cells) })}{" "}
              {isStale
                ? "Model, board, rows or options have changed since."
                : "The build measures them again."}
            </span>
          </p>
        ) : (
          <p className="mt-3 text-dense">
            Not even 8 bits of everything hold it. Ask for less, or give rows that are more like
            those to come.
          </p>
        )
      ) : null}
    </div>
  );
}

const statusOf = ({ state, problem }: Search) =>
  state === "succeeded"
    ? "Done:"
    : problem?.reason === "CANCELLED"
      ? "Stopped after"
      : state === "failed"
        ? "Ended after"
        : "Searching:";

const errorOf = ({ message, hint }: NonNullable<Search["problem"]>) =>
  fail("VALIDATION", message, hint === undefined ? {} : { hint });

"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import { type Build, buildPriorities, finalBuildStates } from "@/lib/common/contract";
import { cancelBuild, retryBuild, setPriority } from "./api";
import { mostCompared } from "./compare/compared";

/** Compares, cancels, moves in the queue or repeats the builds that are marked, each as far as its state allows. */
export function BulkBuilds({
  selection: { rows, clear },
  nameOf,
}: {
  readonly selection: Selection<Build>;
  readonly nameOf: (build: Build) => string;
}) {
  const t = useTranslations("builds.list");
  const { run, start, forget } = useBulk<Build>({ queryKey: ["builds", "list"], nameOf });
  const marked = [...rows.values()];
  const ended = marked.filter(({ state }) => state === "succeeded");
  const underWay = marked.filter(
    (build) => !finalBuildStates.has(build.state) && !build.cancelling,
  );
  const waiting = underWay.filter(({ state }) => state === "queued");
  const failed = marked.filter(({ state }) => finalBuildStates.has(state) && state !== "succeeded");
  const act = (some: readonly Build[], how: (id: string) => Promise<unknown>) => {
    clear();
    void start(some, ({ id }) => how(id));
  };
  return (
    <SelectionBar
      count={marked.length}
      noun="build"
      run={run}
      onClear={() => {
        clear();
        forget();
      }}
    >
      {ended.length > 1 && ended.length <= mostCompared ? (
        <Link
          className="btn btn-primary btn-dense"
          href={`/builds/compare?ids=${ended.map(({ id }) => id).join(",")}`}
        >
          {t("compare")}
        </Link>
      ) : null}
      {underWay.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => act(underWay, cancelBuild)}>
          {t("cancel", { count: underWay.length })}
        </button>
      ) : null}
      {waiting.length > 0 ? (
        <select
          aria-label={t("priorityOf", { count: waiting.length })}
          className="field h-8 w-auto text-dense"
          value=""
          onChange={({ target }) => {
            const priority = buildPriorities.find((each) => each === target.value);
            if (priority) act(waiting, (id) => setPriority(id, priority));
          }}
        >
          <option value="">{t("priorityOf", { count: waiting.length })}</option>
          {buildPriorities.map((priority) => (
            <option key={priority} value={priority}>
              {t(`priorities.${priority}`)}
            </option>
          ))}
        </select>
      ) : null}
      {failed.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => act(failed, retryBuild)}>
          {t("retry", { count: failed.length })}
        </button>
      ) : null}
    </SelectionBar>
  );
}

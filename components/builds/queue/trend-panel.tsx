"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { ErrorNote, formatDuration, modelTitle, Picture, Skeleton, shortId } from "@/components/ui";
import { type BuildTrend, type TrendStep, trendWindows } from "@/lib/common/contract";
import { buildTrendQuery } from "../api";
import { useBuildAppearance } from "../appearance";
import { PanelHeading } from "./panel-heading";

const highPx = 64;

/** How many builds went how in the last day or week, how long they waited and ran, and the last ten of each model. */
export function TrendPanel() {
  const t = useTranslations("builds.trend");
  const [window, setWindow] = useQueryState(
    "trend",
    parseAsStringLiteral(trendWindows).withDefault("24h"),
  );
  const trend = useQuery(buildTrendQuery(window));
  return (
    <>
      <section aria-labelledby="trend" className="min-w-0">
        <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
          <PanelHeading id="trend" title={t("title")} />
          <fieldset className="flex gap-1 border-0 p-0" aria-label={t("window")}>
            {trendWindows.map((each) => (
              <button
                key={each}
                type="button"
                className={`btn btn-quiet btn-dense ${each === window ? "bg-sunken font-strong text-text!" : ""}`}
                aria-pressed={each === window}
                onClick={() => void setWindow(each)}
              >
                {t(`windows.${each}`)}
              </button>
            ))}
          </fieldset>
        </div>
        {trend.isPending ? <Skeleton lines={2} height={32} /> : null}
        {trend.isError ? (
          <ErrorNote
            title={t("unreadable")}
            error={trend.error}
            onRetry={() => void trend.refetch()}
          />
        ) : null}
        {trend.data ? <Strip trend={trend.data} /> : null}
      </section>
      {trend.data && trend.data.models.length > 0 ? <Models models={trend.data.models} /> : null}
    </>
  );
}

/** From the top of a column to its bottom. */
const kinds = [
  { id: "failed", word: "failed", colour: "bg-bad" },
  { id: "cancelled", word: "cancelled", colour: "border border-line-strong" },
  { id: "underWay", word: "underWay", colour: "bg-accent" },
  { id: "reused", word: "reused", colour: "bg-info" },
  { id: "succeeded", word: "made", colour: "bg-line-strong" },
] as const;

const totalOf = ({ succeeded, reused, failed, cancelled, underWay }: TrendStep) =>
  succeeded + reused + failed + cancelled + underWay;

function Strip({ trend: { steps, window } }: { readonly trend: BuildTrend }) {
  const t = useTranslations("builds.trend");
  const most = Math.max(1, ...steps.map(totalOf));
  const sum = (of: (step: TrendStep) => number) => steps.reduce((all, step) => all + of(step), 0);
  const time = (from: string) =>
    new Intl.DateTimeFormat("en-GB", {
      ...(window === "24h"
        ? { hour: "2-digit", minute: "2-digit" }
        : { day: "2-digit", month: "2-digit" }),
    }).format(new Date(from));
  const counted = (id: (typeof kinds)[number]["id"], word: (typeof kinds)[number]["word"]) => ({
    id,
    label: t(word),
    value: (step: TrendStep) => step[id],
  });
  const took = (id: "waitMs" | "runMs", label: string) => ({
    id,
    label,
    value: (step: TrendStep) => step[id],
    show: (step: TrendStep) => (step[id] === null ? "–" : formatDuration(step[id])),
  });
  return (
    <Picture
      title={t("finding", { count: sum(totalOf), failed: sum(({ failed }) => failed) })}
      summary={t("reading")}
      file={`builds-${window}`}
      rows={steps}
      columns={[
        { id: "from", label: t("from"), value: ({ from }) => from, show: ({ from }) => time(from) },
        ...kinds.toReversed().map(({ id, word }) => counted(id, word)),
        took("waitMs", t("waited")),
        took("runMs", t("ran")),
      ]}
    >
      <p className="mb-2 flex flex-wrap gap-x-4 text-dense">
        {kinds.map(({ id, word, colour }) =>
          sum((step) => step[id]) === 0 ? null : (
            <span key={id} className="whitespace-nowrap text-muted">
              <i className={`mr-1.5 inline-block size-2.5 rounded-[1px] ${colour}`} />
              {t("kind", { count: sum((step) => step[id]), word: t(word) })}
            </span>
          ),
        )}
      </p>
      <div className="flex items-end gap-0.5 border-b border-line">
        {steps.map((step, index) => (
          <Column key={step.from} step={step} most={most} place={index} />
        ))}
      </div>
      <div className="flex justify-between text-label text-muted">
        <span>{t(`since.${window}`)}</span>
        <span>{t("now")}</span>
      </div>
    </Picture>
  );
}

function Column({
  step,
  most,
  place,
}: {
  readonly step: TrendStep;
  readonly most: number;
  readonly place: number;
}) {
  const high = (count: number) => (count / most) * highPx;
  return (
    <span
      data-point={place}
      className="flex min-w-0 flex-1 flex-col justify-end"
      style={{ height: highPx }}
    >
      {kinds.map(({ id, colour }) => {
        const count = step[id];
        return count === 0 ? null : (
          <i key={id} className={`block ${colour}`} style={{ height: Math.max(2, high(count)) }} />
        );
      })}
    </span>
  );
}

const marks: Readonly<Record<string, readonly [mark: string, colour: string]>> = {
  succeeded: ["●", "text-ok"],
  failed: ["×", "text-bad"],
  timed_out: ["×", "text-bad"],
  cancelled: ["–", "text-info"],
};

/** The last ten builds of each model as dots, the newest last. */
function Models({ models }: Pick<BuildTrend, "models">) {
  const t = useTranslations("builds.trend");
  const appearances = useBuildAppearance();
  return (
    <section aria-labelledby="models" className="min-w-0">
      <div className="mb-1">
        <PanelHeading id="models" title={t("models")} />
      </div>
      <ul className="text-dense">
        {models.map(({ modelUrl, modelName, builds }) => (
          <li key={modelUrl} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 truncate" title={modelUrl}>
              {modelTitle(modelUrl, modelName)}
            </span>
            <span className="flex flex-none">
              {builds.map(({ id, state, reused }) => {
                const [mark, colour] = marks[state] ?? ["○", "text-accent"];
                const words = t("dot", { id: shortId(id), state: appearances[state].label });
                return (
                  <Link
                    key={id}
                    href={`/builds/${id}`}
                    aria-label={words}
                    title={words}
                    className={`inline-flex size-6 items-center justify-center no-underline! ${colour} ${reused ? "opacity-75" : ""}`}
                  >
                    <span aria-hidden="true">{reused && state === "succeeded" ? "◦" : mark}</span>
                  </Link>
                );
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  Age,
  ErrorNote,
  formatCount,
  formatNs,
  formatShare,
  Section,
  Skeleton,
} from "@/components/ui";
import type { Traffic, TrafficPoint } from "@/lib/common/contract";
import { trafficQuery } from "./api";
import { GatewayCounters } from "./gateway-counters";
import { LatencyHistogram } from "./latency-histogram";
import { markText } from "./mark-text";
import { RangeBar } from "./range-bar";
import type { Series } from "./series-path";
import { tickText, timeUnit } from "./ticks";
import { type ChartFrame, TimeChart } from "./time-chart";
import { TimeShare } from "./time-share";
import { TrafficTable } from "./traffic-table";
import { type TimeWindow, useTimeWindow } from "./use-time-window";

/** Figures are written every few seconds: older than this, nobody counts. */
const silentMs = 150_000;

/** What an endpoint was asked in the stretch of time that the address names, as the server kept it. */
export function TrafficPanel({ name }: { name: string }) {
  const t = useTranslations("traffic");
  const window = useTimeWindow();
  const query = useQuery(trafficQuery(name, window.query));
  const { data, error } = query;
  if (!data && error) {
    return (
      <>
        <ErrorNote title={t("unreadable")} error={error} onRetry={() => void query.refetch()} />
        {window.range === null ? (
          <button
            type="button"
            className="btn btn-dense mt-4"
            onClick={() => window.setRange("1h")}
          >
            {t("range.1h")}
          </button>
        ) : null}
      </>
    );
  }
  if (!data) return <Skeleton lines={8} />;
  return (
    <>
      <Section
        id="traffic"
        title={t("title")}
        aside={<Freshness traffic={data} isStale={error !== null} />}
      >
        <RangeBar window={window} fromMs={Date.parse(data.from)} toMs={Date.parse(data.to)} />
        <Charts name={name} traffic={data} window={window} />
        <TrafficTable name={name} traffic={data} />
      </Section>
      <Section id="by-revision" title={t("revisions.title")}>
        <Revisions traffic={data} />
      </Section>
      <Section id="gateway" title={t("gateway.title")}>
        <GatewayCounters name={name} />
      </Section>
    </>
  );
}

/** How old the figures are, where they are older than usual. */
function Freshness({
  traffic: { now, countedUntil },
  isStale,
}: {
  traffic: Traffic;
  isStale: boolean;
}) {
  const t = useTranslations("traffic");
  const isSilent = countedUntil !== null && Date.parse(now) - Date.parse(countedUntil) > silentMs;
  if (!isSilent && !isStale) return null;
  return (
    <p role="status" className="text-dense text-warn">
      {isStale
        ? t.rich("stale", { age: () => <Age time={now} /> })
        : t.rich("silent", { age: () => <Age time={countedUntil ?? now} /> })}
    </p>
  );
}

function Charts({ name, traffic, window }: { name: string; traffic: Traffic; window: TimeWindow }) {
  const t = useTranslations("traffic.charts");
  const [looked, look] = useState<number | null>(null);
  const { points, total, marks, histogram } = traffic;
  const frame: ChartFrame = {
    points,
    fromMs: Date.parse(traffic.from),
    toMs: Date.parse(traffic.to),
    stepMs: traffic.stepS * 1000,
    marks,
    looked: looked === null ? null : Math.min(looked, points.length - 1),
    look,
    zoom: window.setSpan,
  };
  const isSlow = points.every(({ perSecond }) => (perSecond ?? 0) < 1);
  const [rateUnit, factor] = isSlow ? ["/min", 60] : ["/s", 1];
  const values = (pick: (point: TrafficPoint) => number | null) => points.map(pick);
  const count = (id: "requests" | "clientErrors" | "serverErrors") => ({
    id,
    values: values((point) =>
      point.perSecond === null ? null : (point[id] / point.seconds) * factor,
    ),
    stored: values((point) => (point.perSecond === null ? null : point[id])),
  });
  const unit = timeUnit(Math.max(0, ...points.map(({ p999Ms }) => p999Ms ?? 0)));
  const time = (id: "p50Ms" | "p90Ms" | "p99Ms" | "p999Ms") => ({
    id,
    values: values((point) => {
      const ms = point[id];
      return ms === null ? null : ms * unit.perMs;
    }),
    stored: values((point) => point[id]),
  });
  const most = (all: readonly (number | null)[]) =>
    tickText(Math.max(0, ...all.map((value) => value ?? 0)));
  const all = { label: t("all"), colour: "var(--accent)", ...count("requests") };
  const failures = total.clientErrors + total.serverErrors;
  const times: readonly Series[] = [
    { label: "p50", colour: "var(--accent)", ...time("p50Ms") },
    { label: "p90", colour: "var(--hue-2)", dash: "8 3", ...time("p90Ms") },
    { label: "p99", colour: "var(--hue-1)", dash: "4 3", ...time("p99Ms") },
    { label: "p99.9", colour: "var(--hue-3)", dash: "2 2", ...time("p999Ms") },
  ];
  return (
    <>
      <p className="mb-4 text-dense text-muted">
        <Sentence name={name} traffic={traffic} />
      </p>
      <div className="grid gap-x-8 gap-y-4 desk:grid-cols-2">
        <TimeChart
          title={t("allFinding", { most: most(all.values), unit: rateUnit })}
          file={`${name}-requests`}
          unit={rateUnit}
          frame={frame}
          series={[all]}
        />
        <TimeChart
          title={t("errorsFinding", { count: failures, shown: formatCount(failures) })}
          file={`${name}-errors`}
          unit={rateUnit}
          frame={frame}
          series={[
            { label: t("client"), colour: "var(--warn)", dash: "5 3", ...count("clientErrors") },
            { label: t("server"), colour: "var(--bad)", ...count("serverErrors") },
          ]}
        />
        <TimeChart
          title={
            total.p99Ms === null
              ? t("noLatency")
              : t("latencyFinding", { most: most(time("p99Ms").values), unit: unit.name })
          }
          file={`${name}-latency`}
          unit={unit.name}
          frame={frame}
          series={times}
        />
        <LatencyHistogram name={name} histogram={histogram} total={total} />
      </div>
      <div className="mt-6">
        <TimeShare name={name} share={total.timeShare} />
      </div>
      <MarkList marks={marks} />
    </>
  );
}

/** The stretch of time as a sentence. */
function Sentence({ name, traffic: { total, points } }: { name: string; traffic: Traffic }) {
  const t = useTranslations("traffic");
  if (points.every(({ perSecond }) => perSecond === null)) return t("uncounted");
  if (total.requests === 0) return t("silence", { name });
  const { requests, clientErrors, serverErrors, p50Ms, p99Ms } = total;
  const counts = { requests, client: clientErrors, server: serverErrors };
  return p50Ms === null || p99Ms === null
    ? t("sentence", counts)
    : t("sentenceWithTimes", {
        ...counts,
        p50: formatNs(p50Ms * 1e6),
        p99: formatNs(p99Ms * 1e6),
      });
}

function MarkList({ marks }: { marks: Traffic["marks"] }) {
  const t = useTranslations("traffic.marks");
  if (marks.length === 0) return null;
  return (
    <div className="mt-6">
      <h3 className="mb-1 text-dense font-strong">{t("title")}</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-dense">
        {marks.map((mark) => (
          <li key={`${mark.at} ${mark.kind}`}>
            {markText(mark, t)}{" "}
            <span className="text-muted">
              <Age time={mark.at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What each revision was asked, side by side. */
function Revisions({ traffic: { revisions } }: { traffic: Traffic }) {
  const t = useTranslations("traffic.revisions");
  if (revisions.length === 0) return <p className="text-muted">{t("none")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label={t("title")} tabIndex={0} className="overflow-x-auto">
      <table className="table whitespace-nowrap">
        <thead>
          <tr>
            <th scope="col">{t("revision")}</th>
            {(["requests", "errors", "p50", "p90", "p99", "p999"] as const).map((column) => (
              <th key={column} scope="col" className="num">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {revisions.map(({ revision, total }) => {
            const errors = total.clientErrors + total.serverErrors;
            const { p50Ms, p90Ms, p99Ms, p999Ms } = total;
            return (
              <tr key={revision}>
                <td>{revision === 0 ? t("unreached") : revision}</td>
                <td className="num">{formatCount(total.requests)}</td>
                <td className="num">{formatShare(errors / Math.max(1, total.requests))}</td>
                {Object.entries({ p50Ms, p90Ms, p99Ms, p999Ms }).map(([key, ms]) => (
                  <td key={key} className="num">
                    {ms === null ? "–" : formatNs(ms * 1e6)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

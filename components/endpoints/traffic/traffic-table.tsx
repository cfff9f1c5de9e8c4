"use client";

import { useTranslations } from "next-intl";
import { formatCount, formatNs, saveFile } from "@/components/ui";
import type { Traffic, TrafficPoint } from "@/lib/common/contract";
import { tickText } from "./ticks";
import { trafficCsv } from "./traffic-csv";

const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "short" });

/** The points of the charts as a table and as a file: the newest first. */
export function TrafficTable({ name, traffic }: { name: string; traffic: Traffic }) {
  const t = useTranslations("traffic.table");
  return (
    <details className="mt-6">
      <summary className="cursor-pointer text-dense text-accent">{t("open")}</summary>
      <button
        type="button"
        className="btn btn-dense mt-3"
        onClick={() => saveFile(`${name}-traffic.csv`, trafficCsv(traffic), "text/csv")}
      >
        {t("csv")}
      </button>
      <section
        aria-label={t("caption", { name })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="mt-3 max-h-96 overflow-auto"
      >
        <table className="table whitespace-nowrap">
          <caption className="sr-only">{t("caption", { name })}</caption>
          <thead>
            <tr>
              <th scope="col">{t("from")}</th>
              <th scope="col" className="num">
                {t("requests")}
              </th>
              <th scope="col" className="num">
                {t("rate")}
              </th>
              <th scope="col" className="num">
                {t("clientErrors")}
              </th>
              <th scope="col" className="num">
                {t("serverErrors")}
              </th>
              {["p50", "p90", "p99", "p99.9"].map((quantile) => (
                <th key={quantile} scope="col" className="num">
                  {quantile}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traffic.points.toReversed().map((point) => (
              <Row key={point.at} point={point} />
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Row({ point }: { point: TrafficPoint }) {
  const t = useTranslations("traffic.table");
  const at = <time dateTime={point.at}>{when.format(Date.parse(point.at))}</time>;
  if (point.perSecond === null) {
    return (
      <tr>
        <td>{at}</td>
        <td colSpan={8} className="text-muted">
          {t("gap")}
        </td>
      </tr>
    );
  }
  const { p50Ms, p90Ms, p99Ms, p999Ms } = point;
  return (
    <tr>
      <td>{at}</td>
      <td className="num">{formatCount(point.requests)}</td>
      <td className="num">{tickText(point.perSecond)}</td>
      <td className="num">{formatCount(point.clientErrors)}</td>
      <td className="num">{formatCount(point.serverErrors)}</td>
      {Object.entries({ p50Ms, p90Ms, p99Ms, p999Ms }).map(([key, ms]) => (
        <td key={key} className="num">
          {ms === null ? "–" : formatNs(ms * 1e6)}
        </td>
      ))}
    </tr>
  );
}

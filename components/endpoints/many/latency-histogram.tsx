"use client";

import { useTranslations } from "next-intl";
import { formatCount, formatNs, Picture } from "@/components/ui";
import { latencyBins, percentileOf, percentiles } from "./latency-bins";

const width = 600;
const height = 140;

/** Times as bars on a logarithmic axis, with lines at the percentiles. */
export function LatencyHistogram({
  name,
  times,
}: {
  /** Whose times: what the browser saw, or what the server did. */
  name: string;
  times: readonly number[];
}) {
  const t = useTranslations("predictions");
  const bins = latencyBins(times);
  const marks = percentiles.map((share) => ({
    label: `p${share * 100}`,
    ns: percentileOf(times, share) ?? 0,
  }));
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return null;
  const span = Math.log10(last.toNs / first.fromNs);
  const xOf = (ns: number) => (Math.log10(ns / first.fromNs) / span) * width;
  const most = Math.max(...bins.map(({ count }) => count));
  const title = t("histogramTitle", {
    name,
    p50: formatNs(marks[0]?.ns ?? 0),
    p99: formatNs(marks[2]?.ns ?? 0),
    count: times.length,
  });
  return (
    <div className="mt-4">
      <Picture
        title={title}
        summary={t("histogramNote", { slowest: formatNs(Math.max(...times)) })}
        file={`latency-${name}`}
        rows={bins}
        columns={[
          {
            id: "fromNs",
            label: t("from"),
            value: ({ fromNs }) => fromNs,
            show: ({ fromNs }) => formatNs(fromNs),
          },
          {
            id: "toNs",
            label: t("to"),
            value: ({ toNs }) => toNs,
            show: ({ toNs }) => formatNs(toNs),
          },
          {
            id: "count",
            label: t("requests"),
            value: ({ count }) => count,
            show: ({ count }) => formatCount(count),
          },
        ]}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${width} ${height + 18}`} className="w-full">
          {bins.map(({ fromNs, toNs, count }, index) => (
            <rect
              key={fromNs}
              data-point={index}
              x={xOf(fromNs) + 0.5}
              width={Math.max(1, xOf(toNs) - xOf(fromNs) - 1)}
              y={height - (count / most) * (height - 24)}
              height={(count / most) * (height - 24)}
              fill="var(--accent)"
            />
          ))}
          {marks.map(({ label, ns }, index) => (
            <g key={label}>
              <line
                x1={xOf(ns)}
                x2={xOf(ns)}
                y1={8 + index * 2}
                y2={height}
                stroke="var(--copper)"
                strokeWidth={1.5}
                strokeDasharray={index === 0 ? "none" : "4 3"}
              />
              <text
                x={Math.min(width - 26, xOf(ns) + 3)}
                y={10 + index * 10}
                fontSize={10}
                fill="var(--copper)"
              >
                {label}
              </text>
            </g>
          ))}
          <line x1={0} x2={width} y1={height} y2={height} stroke="var(--line-strong)" />
          <text x={0} y={height + 13} fontSize={11} fill="var(--muted)">
            {formatNs(first.fromNs)}
          </text>
          <text x={width} y={height + 13} fontSize={11} fill="var(--muted)" textAnchor="end">
            {formatNs(last.toNs)}
          </text>
        </svg>
        <ul className="flex flex-wrap gap-x-5 text-dense">
          {marks.map(({ label, ns }) => (
            <li key={label}>
              {label} <b>{formatNs(ns)}</b>
            </li>
          ))}
        </ul>
      </Picture>
    </div>
  );
}

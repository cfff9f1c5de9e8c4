"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { formatCount, Picture, useWidth } from "@/components/ui";
import type { Traffic } from "@/lib/common/contract";
import { logTicks, tickText, timeUnit } from "./ticks";

const height = 168;
const plot = { left: 44, right: 8, top: 30, bottom: 22 };

/** How many requests took how long, on a logarithmic axis, with lines where 50, 90, 99 and 99.9 of 100 were answered. */
export function LatencyHistogram({
  name,
  histogram,
  total,
}: {
  name: string;
  histogram: Traffic["histogram"];
  total: Traffic["total"];
}) {
  const t = useTranslations("traffic.histogram");
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const [first] = histogram;
  const last = histogram.at(-1);
  const lines = [
    { name: "p50", ms: total.p50Ms },
    { name: "p90", ms: total.p90Ms },
    { name: "p99", ms: total.p99Ms },
    { name: "p99.9", ms: total.p999Ms },
  ].flatMap(({ name, ms }) => (ms === null ? [] : [{ name, ms }]));
  const unit = timeUnit(total.p99Ms ?? 1);
  const text = (ms: number) => `${tickText(ms * unit.perMs)}\u2009${unit.name}`;
  const inWords = lines.map(({ name, ms }) => `${name} ${text(ms)}`).join(", ");
  const { p50Ms, p99Ms } = total;
  if (!first || !last || p50Ms === null || p99Ms === null) {
    return (
      <p className="flex min-h-[168px] items-center justify-center rounded-[4px] bg-sunken text-muted">
        {t("none")}
      </p>
    );
  }
  return (
    <Picture
      title={t("finding", { half: text(p50Ms), most: text(p99Ms) })}
      summary={t("summary", {
        count: histogram.reduce((sum, { count }) => sum + count, 0),
        from: text(first.fromMs),
        to: text(last.toMs),
        quantiles: inWords,
        unit: unit.name,
      })}
      file={`${name}-latency-histogram`}
      rows={histogram}
      columns={[
        {
          id: "fromMs",
          label: t("from"),
          value: ({ fromMs }) => fromMs,
          show: ({ fromMs }) => tickText(fromMs),
        },
        {
          id: "toMs",
          label: t("to"),
          value: ({ toMs }) => toMs,
          show: ({ toMs }) => tickText(toMs),
        },
        {
          id: "count",
          label: t("count"),
          value: ({ count }) => count,
          show: ({ count }) => formatCount(count),
        },
      ]}
    >
      <div ref={ref}>
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          className="block w-full rounded-[4px] bg-sunken"
        >
          {width > 0 ? (
            <Bars histogram={histogram} lines={lines} width={width} perMs={unit.perMs} />
          ) : null}
        </svg>
      </div>
    </Picture>
  );
}

function Bars({
  histogram,
  lines,
  width,
  perMs,
}: {
  histogram: Traffic["histogram"];
  lines: readonly { readonly name: string; readonly ms: number }[];
  width: number;
  perMs: number;
}) {
  const low = Math.max(0.005, histogram[0]?.fromMs ?? 0.01) * 0.8;
  const high = (histogram.at(-1)?.toMs ?? 1) * 1.2;
  const most = Math.max(...histogram.map(({ count }) => count));
  const inner = width - plot.left - plot.right;
  const x = (ms: number) =>
    plot.left + (Math.log(Math.max(low, ms) / low) / Math.log(high / low)) * inner;
  const y = (count: number) =>
    height - plot.bottom - (count / most) * (height - plot.top - plot.bottom);
  return (
    <>
      <g className="text-label" fill="var(--muted)">
        <line
          x1={plot.left}
          x2={width - plot.right}
          y1={y(0)}
          y2={y(0)}
          stroke="var(--line-strong)"
        />
        <text x={plot.left - 6} y={y(most) + 4} textAnchor="end">
          {tickText(most)}
        </text>
        <text x={plot.left - 6} y={y(0) + 4} textAnchor="end">
          0
        </text>
        {logTicks(low * perMs, high * perMs).map((tick) => (
          <text key={tick} x={x(tick / perMs)} y={height - 6} textAnchor="middle">
            {tickText(tick)}
          </text>
        ))}
      </g>
      {histogram.map(({ fromMs, toMs, count }, index) => (
        <rect
          key={fromMs}
          data-point={index}
          x={x(fromMs) + 0.5}
          width={Math.max(1, x(toMs) - x(fromMs) - 1)}
          y={y(count)}
          height={Math.max(1, y(0) - y(count))}
          fill="var(--accent)"
        />
      ))}
      <g className="text-label" fill="var(--text)">
        {lines.map(({ name, ms }, index) => (
          <g key={name}>
            <line
              x1={x(ms)}
              x2={x(ms)}
              y1={plot.top - 4}
              y2={y(0)}
              stroke="var(--text)"
              strokeDasharray="3 3"
            />
            <text
              x={x(ms)}
              y={index % 2 === 0 ? 12 : 24}
              textAnchor={x(ms) > width - 40 ? "end" : "middle"}
            >
              {name}
            </text>
          </g>
        ))}
      </g>
    </>
  );
}

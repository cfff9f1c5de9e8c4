"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { Picture, useWidth } from "@/components/ui";
import type { Traffic, TrafficPoint } from "@/lib/common/contract";
import { markText } from "./mark-text";
import { type Series, seriesPath } from "./series-path";
import { tickText, timeTicks, valueTicks } from "./ticks";

const height = 168;
const plot = { left: 44, right: 8, top: 18, bottom: 22 };
/** A drag of less is a click. */
const leastDragPx = 8;

/** What all charts of a page share: their points, and the one that is looked at. */
export interface ChartFrame {
  readonly points: readonly TrafficPoint[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly marks: Traffic["marks"];
  readonly looked: number | null;
  look(index: number | null): void;
  zoom(fromMs: number, toMs: number): void;
}

/**
 * Values over time with axes, gaps where nobody counted, and marks of what was done to the endpoint. Arrows go from point to
 * point; dragging across a stretch shows it alone.
 */
export function TimeChart({
  title,
  file,
  unit,
  series,
  frame,
}: {
  title: string;
  file: string;
  /** That of the axis. */
  unit: string;
  series: readonly Series[];
  frame: ChartFrame;
}) {
  const t = useTranslations("traffic.chart");
  const keys = useTranslations("ui.picture");
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const ticks = valueTicks(
    Math.max(0, ...series.flatMap(({ values }) => values.map((v) => v ?? 0))),
  );
  const scale = new Scale(frame, width, ticks.at(-1) ?? 1);
  const { drag, handlers } = useDrag(scale, frame);
  const shown = frame.looked ?? frame.points.length - 1;
  const words = series.map(({ label, values }) => `${label} ${valueText(values[shown], unit)}`);
  const when = momentText(frame, shown);
  return (
    <Picture
      title={title}
      summary={t("reading", { unit })}
      file={file}
      keys="own"
      rows={frame.points.map(({ at, seconds }, index) => ({ at, seconds, index }))}
      columns={[
        {
          id: "at",
          label: t("at"),
          value: ({ at }) => at,
          show: ({ at }) => exact.format(Date.parse(at)),
        },
        { id: "seconds", label: t("seconds"), value: ({ seconds }) => seconds },
        ...series.map(({ id, label, values, stored }) => ({
          id,
          label: `${label}, ${unit}`,
          value: ({ index }: { index: number }) => stored[index] ?? null,
          show: ({ index }: { index: number }) => valueText(values[index], ""),
        })),
      ]}
    >
      <div className="mb-1 text-dense">
        <Legend series={series} shown={shown} unit={unit} />
      </div>
      <div ref={ref} className="relative">
        <svg
          role="img"
          aria-label={`${title}. ${t("summary", { when, values: words.join(", ") })} ${keys("keys")}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from point to point
          tabIndex={0}
          width={width}
          height={height}
          className="block w-full cursor-crosshair touch-pan-y rounded-[4px] bg-sunken"
          onKeyDown={(event) => walk(event, frame)}
          {...handlers}
        >
          {width > 0 ? (
            <>
              <Axes scale={scale} ticks={ticks} frame={frame} />
              <Marks scale={scale} frame={frame} />
              {series.map(({ label, colour, dash, values }) => (
                <path
                  key={label}
                  d={seriesPath(
                    values.map((v, i) =>
                      v === null ? null : { x: scale.pointX(i), y: scale.y(v) },
                    ),
                  )}
                  fill="none"
                  stroke={colour}
                  strokeWidth="1.75"
                  strokeDasharray={dash}
                  strokeLinejoin="round"
                />
              ))}
              {frame.looked === null ? null : (
                <line
                  x1={scale.pointX(shown)}
                  x2={scale.pointX(shown)}
                  y1={plot.top}
                  y2={height - plot.bottom}
                  stroke="var(--line-strong)"
                />
              )}
              {drag ? (
                <rect
                  x={Math.min(drag.from, drag.to)}
                  width={Math.abs(drag.to - drag.from)}
                  y={plot.top}
                  height={height - plot.top - plot.bottom}
                  fill="var(--accent)"
                  opacity="0.18"
                />
              ) : null}
            </>
          ) : null}
        </svg>
      </div>
      <p data-unsaved className="mt-0.5 text-label text-muted" aria-live="polite">
        {frame.looked === null ? "\u00a0" : when}
      </p>
    </Picture>
  );
}

/** Where moments and values stand, pixels. */
class Scale {
  private readonly frame: ChartFrame;
  readonly width: number;
  private readonly top: number;

  constructor(frame: ChartFrame, width: number, top: number) {
    this.frame = frame;
    this.width = width;
    this.top = top;
  }

  x(ms: number): number {
    const { fromMs, toMs } = this.frame;
    const inner = this.width - plot.left - plot.right;
    return plot.left + ((ms - fromMs) / Math.max(1, toMs - fromMs)) * inner;
  }

  y(value: number): number {
    const inner = height - plot.top - plot.bottom;
    return height - plot.bottom - (value / this.top) * inner;
  }

  /** The middle of a point's stretch. */
  pointX(index: number): number {
    const at = Date.parse(this.frame.points[index]?.at ?? "") || this.frame.fromMs;
    return this.x(Math.min(this.frame.toMs, at + this.frame.stepMs / 2));
  }

  ms(x: number): number {
    const { fromMs, toMs } = this.frame;
    const share = (x - plot.left) / Math.max(1, this.width - plot.left - plot.right);
    return fromMs + Math.min(1, Math.max(0, share)) * (toMs - fromMs);
  }

  index(x: number): number {
    const { fromMs, stepMs, points } = this.frame;
    return Math.min(points.length - 1, Math.floor((this.ms(x) - fromMs) / stepMs));
  }
}

function useDrag(scale: Scale, frame: ChartFrame) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const xOf = (event: PointerEvent<SVGSVGElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: xOf(event), to: xOf(event) });
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      const x = xOf(event);
      frame.look(scale.index(x));
      setDrag((now) => now && { ...now, to: x });
    },
    onPointerUp: () => {
      if (drag && Math.abs(drag.to - drag.from) >= leastDragPx) {
        const [low, high] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
        frame.zoom(scale.ms(low), scale.ms(high));
      }
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
    onPointerLeave: () => frame.look(null),
    onBlur: () => frame.look(null),
  };
  return { drag: drag && drag.from !== drag.to ? drag : null, handlers };
}

function Axes({
  scale,
  ticks,
  frame,
}: {
  scale: Scale;
  ticks: readonly number[];
  frame: ChartFrame;
}) {
  const { fromMs, toMs } = frame;
  const times = timeTicks(fromMs, toMs, Math.max(2, Math.floor(scale.width / 80)));
  return (
    <g className="text-label" fill="var(--muted)">
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={plot.left}
            x2={scale.width - plot.right}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
            stroke={tick === 0 ? "var(--line-strong)" : "var(--line)"}
          />
          <text x={plot.left - 6} y={scale.y(tick) + 4} textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {times.map((at) => (
        <text key={at} x={scale.x(at)} y={height - 6} textAnchor="middle">
          {axisTime(at, toMs - fromMs)}
        </text>
      ))}
    </g>
  );
}

function Marks({ scale, frame }: { scale: Scale; frame: ChartFrame }) {
  const t = useTranslations("traffic.marks");
  return (
    <g className="text-label" fill="var(--info)">
      {frame.marks.map((mark) => {
        const x = scale.x(Date.parse(mark.at));
        const isLate = x > scale.width - 90;
        return (
          <g key={`${mark.at} ${mark.kind}`}>
            <line
              x1={x}
              x2={x}
              y1={plot.top - 4}
              y2={height - plot.bottom}
              stroke="var(--info)"
              strokeDasharray="3 3"
            />
            <text x={isLate ? x - 3 : x + 3} y={12} textAnchor={isLate ? "end" : "start"}>
              {markText(mark, t)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Legend({
  series,
  shown,
  unit,
}: {
  series: readonly Series[];
  shown: number;
  unit: string;
}) {
  return (
    <span className="flex flex-wrap gap-x-4">
      {series.map(({ label, colour, dash, values }) => (
        <span key={label} className="whitespace-nowrap">
          <svg
            aria-hidden="true"
            width="16"
            height="6"
            className="mr-1.5 inline-block align-middle"
          >
            <line
              x1="0"
              x2="16"
              y1="3"
              y2="3"
              stroke={colour}
              strokeWidth="2"
              strokeDasharray={dash}
            />
          </svg>
          {label} {valueText(values[shown], unit)}
        </span>
      ))}
    </span>
  );
}

/** Arrows, Home and End go from point to point; Escape leaves them. */
function walk(event: KeyboardEvent, { points, looked, look }: ChartFrame): void {
  const last = points.length - 1;
  const now = looked ?? last + 1;
  const next: Record<string, number | null> = {
    ArrowLeft: Math.max(0, now - 1),
    ArrowRight: Math.min(last, now + 1),
    Home: 0,
    End: last,
    Escape: null,
  };
  const index = next[event.key];
  if (index === undefined) return;
  event.preventDefault();
  look(index);
}

const valueText = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined ? "–" : `${tickText(value)}\u2009${unit}`.trimEnd();

const dayMs = 24 * 3600_000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

function axisTime(ms: number, spanMs: number): string {
  if (spanMs <= 2 * dayMs) return clock.format(ms);
  const date = new Date(ms);
  return `${date.getDate()}.${date.getMonth() + 1}.`;
}

const momentText = ({ points }: ChartFrame, index: number): string => {
  const at = points[index]?.at;
  return at === undefined ? "" : exact.format(Date.parse(at));
};

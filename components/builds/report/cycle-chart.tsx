import { useTranslations } from "next-intl";
import { formatCount, formatNs, Picture } from "@/components/ui";
import type { Span, Timeline } from "@/lib/common/contract";
import { shortNames } from "./short-names";

const width = 1000;
const rowHeight = 26;
const foot = 20;
const mostTicks = 6;

type Row = Timeline["rows"][number];

const fills = {
  input: "var(--info)",
  layer: "var(--copper)",
  output: "var(--accent)",
} as const satisfies Record<Row["kind"], string>;

/** What the core does in which cycle, from the last byte of a row to the last of its answer. */
export function CycleChart({
  timeline,
  clockHz,
}: {
  timeline: Timeline;
  clockHz: number | undefined;
}) {
  const t = useTranslations("builds.report");
  const chart = chartOf(timeline, t);
  const points = pointsOf(chart);
  const longest = longestOf(points);
  return (
    <Picture
      title={t("cycleFinding", {
        cycles: formatCount(chart.to - 1),
        step: longest?.label ?? "",
        own: formatCount(longest?.cycles ?? 0),
      })}
      summary={t("cycleNote", {
        known: clockHz === undefined ? "no" : "yes",
        time: clockHz === undefined ? "" : formatNs(1e9 / clockHz),
      })}
      file="cycles-of-one-row"
      rows={points}
      columns={[
        {
          id: "step",
          label: t("cycleStep"),
          value: ({ row }) => row.name,
          show: ({ label }) => label,
        },
        {
          id: "kind",
          label: t("cycleKind"),
          value: ({ row }) => row.kind,
          show: ({ row }) => t(`cycleKinds.${row.kind}`),
        },
        {
          id: "fromCycle",
          label: t("cycleFrom"),
          value: ({ span }) => span.from,
          show: ({ span }) => number(span.from),
        },
        {
          id: "toCycle",
          label: t("cycleTo"),
          value: ({ span }) => span.to,
          show: ({ span }) => number(span.to),
        },
      ]}
    >
      <div className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-3">
        <RowNames chart={chart} />
        <Bars chart={chart} points={points} />
        <span />
        <TickNumbers chart={chart} />
      </div>
    </Picture>
  );
}

/** One span of a row, a bar of the picture. */
interface Point {
  readonly row: Row;
  readonly label: string;
  readonly place: number;
  readonly span: Span;
}

const pointsOf = ({ rows, labels }: Chart): Point[] =>
  rows.flatMap((row, place) =>
    row.spans.map((span) => ({ row, label: labels.get(row) ?? row.name, place, span })),
  );

/** The layer that is at work in most cycles. */
function longestOf(points: readonly Point[]) {
  const spent = new Map<string, number>();
  for (const { row, label, span } of points)
    if (row.kind === "layer") spent.set(label, (spent.get(label) ?? 0) + span.to - span.from + 1);
  const [longest] = [...spent].sort(([, a], [, b]) => b - a);
  return longest && { label: longest[0], cycles: longest[1] };
}

type Texts = ReturnType<typeof useTranslations<"builds.report">>;

interface Chart {
  readonly rows: readonly Row[];
  readonly labels: ReadonlyMap<Row, string>;
  /** The cycle after the last. */
  readonly to: number;
  /** Cycles that have a number below. */
  readonly ticks: readonly number[];
  /** Where a cycle begins, 0 to `width`. */
  readonly x: (cycle: number) => number;
}

function chartOf(timeline: Timeline, t: Texts): Chart {
  const rows = timeline.rows.filter(({ spans }) => spans.length > 0);
  const names = shortNames(rows.filter(({ kind }) => kind === "layer").map(({ name }) => name));
  const from = Math.min(...rows.flatMap(({ spans }) => spans.map((span) => span.from)));
  const to = Math.max(...rows.flatMap(({ spans }) => spans.map((span) => span.to))) + 1;
  const step = niceStep((to - from) / mostTicks);
  const first = Math.ceil(from / step);
  return {
    rows,
    to,
    labels: new Map(rows.map((row) => [row, labelOf(row, names, t)])),
    ticks: Array.from(
      { length: Math.floor(to / step) - first + 1 },
      (_, at) => (first + at) * step,
    ),
    x: (cycle) => ((cycle - from) / (to - from)) * width,
  };
}

function RowNames({ chart: { rows, labels } }: { chart: Chart }) {
  return (
    <ol className="text-dense">
      {rows.map((row) => (
        <li
          key={`${row.kind} ${row.name}`}
          className="flex max-w-40 items-center"
          style={{ height: rowHeight }}
        >
          <span className="truncate" title={row.name}>
            {labels.get(row)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Bars({ chart: { rows, ticks, x }, points }: { chart: Chart; points: readonly Point[] }) {
  const height = rows.length * rowHeight;
  return (
    <svg
      viewBox={`0 0 ${width} ${height + foot}`}
      preserveAspectRatio="none"
      className="block w-full"
      style={{ height: height + foot }}
      aria-hidden="true"
    >
      {ticks.map((cycle) => (
        <UprightLine key={cycle} x={x(cycle)} height={height} colour="var(--line)" />
      ))}
      {points.map(({ row, place, span }, index) => (
        <rect
          key={`${place} ${span.from}`}
          data-point={index}
          x={x(span.from)}
          y={place * rowHeight + 5}
          width={Math.max(1.5, x(span.to + 1) - x(span.from))}
          height={rowHeight - 10}
          fill={fills[row.kind]}
          stroke="var(--bg)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      <UprightLine x={x(1)} height={height} colour="var(--text)" />
    </svg>
  );
}

function UprightLine({ x, height, colour }: { x: number; height: number; colour: string }) {
  return (
    <line x1={x} x2={x} y1="0" y2={height} stroke={colour} vectorEffect="non-scaling-stroke" />
  );
}

function TickNumbers({ chart: { ticks, x } }: { chart: Chart }) {
  return (
    <div className="relative -mt-5 h-5 text-label text-muted" aria-hidden="true">
      {ticks.map((cycle) => (
        <span
          key={cycle}
          className="absolute -translate-x-1/2 first:translate-x-0 last:-translate-x-full"
          style={{ left: `${x(cycle) / 10}%` }}
        >
          {number(cycle)}
        </span>
      ))}
    </div>
  );
}

function labelOf(
  { kind, name, bytes = 0 }: Row,
  names: ReadonlyMap<string, string>,
  t: Texts,
): string {
  if (kind === "layer") return names.get(name) ?? name;
  return t(kind === "input" ? "rowIn" : "answerOut", { bytes: formatCount(bytes) });
}

const number = (cycle: number) => formatCount(cycle).replace("-", "−");

/** 1, 2 or 5 times a power of ten, at least as much. */
function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return decade * ([1, 2, 5].find((step) => step * decade >= least) ?? 10);
}

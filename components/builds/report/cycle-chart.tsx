import { useTranslations } from "next-intl";
import { formatCount, formatNs } from "@/components/ui";
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
  return (
    <figure>
      <div className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-3">
        <RowNames chart={chart} />
        <Bars chart={chart} />
        <span />
        <TickNumbers chart={chart} />
      </div>
      <figcaption className="mt-2 max-w-[68ch] text-dense text-muted">
        {t("cycleNote", {
          known: clockHz === undefined ? "no" : "yes",
          time: clockHz === undefined ? "" : formatNs(1e9 / clockHz),
        })}
      </figcaption>
    </figure>
  );
}

type Texts = ReturnType<typeof useTranslations<"builds.report">>;

interface Chart {
  readonly rows: readonly Row[];
  readonly labels: ReadonlyMap<Row, string>;
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
    labels: new Map(rows.map((row) => [row, labelOf(row, names, t)])),
    ticks: Array.from(
      { length: Math.floor(to / step) - first + 1 },
      (_, at) => (first + at) * step,
    ),
    x: (cycle) => ((cycle - from) / (to - from)) * width,
  };
}

function RowNames({ chart: { rows, labels } }: { chart: Chart }) {
  const t = useTranslations("builds.report");
  return (
    <ol className="text-dense" aria-label={t("cycleList")}>
      {rows.map((row) => (
        <li
          key={`${row.kind} ${row.name}`}
          className="flex max-w-40 items-center"
          style={{ height: rowHeight }}
          title={row.name}
        >
          <span className="truncate" title={row.name}>
            {labels.get(row)}
          </span>
          <span className="sr-only">: {wordsOf(row, t)}</span>
        </li>
      ))}
    </ol>
  );
}

function Bars({ chart: { rows, labels, ticks, x } }: { chart: Chart }) {
  const t = useTranslations("builds.report");
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
      {rows.map((row, index) =>
        row.spans.map((span) => (
          <rect
            key={span.from}
            x={x(span.from)}
            y={index * rowHeight + 5}
            width={Math.max(1.5, x(span.to + 1) - x(span.from))}
            height={rowHeight - 10}
            fill={fills[row.kind]}
            stroke="var(--bg)"
            vectorEffect="non-scaling-stroke"
          >
            <title>{`${labels.get(row)}: ${spanWords(span, t)}`}</title>
          </rect>
        )),
      )}
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

function wordsOf({ spans }: Row, t: Texts): string {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return t("noCycle");
  const span = spanWords({ from: first.from, to: last.to }, t);
  return spans.length > 1 ? t("passes", { span, count: spans.length }) : span;
}

const spanWords = ({ from, to }: Span, t: Texts) =>
  from === to
    ? t("cycle", { from: number(from) })
    : t("cyclesTo", { from: number(from), to: number(to) });

const number = (cycle: number) => formatCount(cycle).replace("-", "−");

/** 1, 2 or 5 times a power of ten, at least as much. */
function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return decade * ([1, 2, 5].find((step) => step * decade >= least) ?? 10);
}

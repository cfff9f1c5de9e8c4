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
  const rows = timeline.rows.filter(({ spans }) => spans.length > 0);
  const names = shortNames(rows.filter(({ kind }) => kind === "layer").map(({ name }) => name));
  const from = Math.min(...rows.flatMap(({ spans }) => spans.map((span) => span.from)));
  const to = Math.max(...rows.flatMap(({ spans }) => spans.map((span) => span.to))) + 1;
  const x = (cycle: number) => ((cycle - from) / (to - from)) * width;
  const step = niceStep((to - from) / mostTicks);
  const first = Math.ceil(from / step);
  const ticks = Array.from(
    { length: Math.floor(to / step) - first + 1 },
    (_, at) => (first + at) * step,
  );
  const height = rows.length * rowHeight;
  return (
    <figure>
      <div className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-3">
        <ol className="text-dense" aria-label="Cycles of each step">
          {rows.map((row) => (
            <li
              key={`${row.kind} ${row.name}`}
              className="flex max-w-40 items-center"
              style={{ height: rowHeight }}
              title={row.name}
            >
              <span className="truncate" title={row.name}>
                {labelOf(row, names)}
              </span>
              <span className="sr-only">: {wordsOf(row)}</span>
            </li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${width} ${height + foot}`}
          preserveAspectRatio="none"
          className="block w-full"
          style={{ height: height + foot }}
          aria-hidden="true"
        >
          {ticks.map((cycle) => (
            <line
              key={cycle}
              x1={x(cycle)}
              x2={x(cycle)}
              y1="0"
              y2={height}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
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
                <title>{`${labelOf(row, names)}: ${spanWords(span)}`}</title>
              </rect>
            )),
          )}
          <line
            x1={x(1)}
            x2={x(1)}
            y1="0"
            y2={height}
            stroke="var(--text)"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span />
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
      </div>
      <figcaption className="mt-2 max-w-[68ch] text-dense text-muted">
        Cycles since the row's last byte passed, which the dark line marks
        {clockHz === undefined ? "" : `; one takes ${formatNs(1e9 / clockHz)}`}. Bytes are drawn as
        the core could take them, one in each cycle: a serial line is slower.
      </figcaption>
    </figure>
  );
}

function labelOf({ kind, name, bytes = 0 }: Row, names: ReadonlyMap<string, string>): string {
  if (kind === "layer") return names.get(name) ?? name;
  return `${kind === "input" ? "row in" : "answer out"}, ${formatCount(bytes)} B`;
}

function wordsOf({ spans }: Row): string {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return "in no cycle";
  const passes = spans.length > 1 ? `, in ${spans.length} passes` : "";
  return `${spanWords({ from: first.from, to: last.to })}${passes}`;
}

const spanWords = ({ from, to }: Span) =>
  from === to ? `cycle ${number(from)}` : `cycles ${number(from)} to ${number(to)}`;

const number = (cycle: number) => formatCount(cycle).replace("-", "−");

/** 1, 2 or 5 times a power of ten, at least as much. */
function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return decade * ([1, 2, 5].find((step) => step * decade >= least) ?? 10);
}

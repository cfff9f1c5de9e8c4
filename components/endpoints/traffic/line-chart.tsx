import { formatDigits } from "@/components/ui";

/** One line of a chart. */
export interface Series {
  readonly label: string;
  readonly colour: string;
  /** Null: nothing to show at that moment. */
  readonly values: readonly (number | null)[];
}

const width = 600;
const height = 120;

/** Values over the last minutes, the newest at the right; beside it what they are now, in words. */
export function LineChart({
  title,
  unit,
  series,
  length,
}: {
  title: string;
  unit: string;
  series: readonly Series[];
  /** Points that the whole width holds. */
  length: number;
}) {
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 0);
  const top = niceTop(most);
  const now = series
    .map(
      ({ label, values }) =>
        `${label} ${wordOf(
          values.findLast((v) => v !== null),
          unit,
        )}`,
    )
    .join(", ");
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-dense">
        <span className="font-strong">{title}</span>
        <span className="flex flex-wrap gap-x-4">
          {series.map(({ label, colour, values }) => (
            <span key={label} className="whitespace-nowrap">
              <i
                aria-hidden="true"
                className="mr-1.5 inline-block h-[3px] w-3 align-middle"
                style={{ background: colour }}
              />
              {label}{" "}
              {wordOf(
                values.findLast((v) => v !== null),
                unit,
              )}
            </span>
          ))}
        </span>
      </figcaption>
      <div className="relative">
        <svg
          role="img"
          aria-label={`${title}: ${now}`}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="block h-[120px] w-full rounded-[4px] bg-sunken"
        >
          <line x1="0" x2={width} y1={height / 2} y2={height / 2} stroke="var(--line)" />
          {series.map(({ label, colour, values }) => (
            <path
              key={label}
              d={pathOf(values, length, top)}
              fill="none"
              stroke={colour}
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <span className="absolute top-0.5 left-1 text-label text-muted">
          {formatDigits(top)} {unit}
        </span>
      </div>
    </figure>
  );
}

const wordOf = (value: number | null | undefined, unit: string): string =>
  value === null || value === undefined
    ? "–"
    : `${value === 0 ? 0 : formatDigits(value)}\u2009${unit}`;

/** The next of 1, 2, 5, 10, … that holds a value. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const step = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * step).find((top) => top >= value) ?? value;
}

/** The newest value at the right edge; a gap where there is nothing. A value alone is a dash, so that it can be seen. */
function pathOf(values: readonly (number | null)[], length: number, top: number): string {
  const step = width / Math.max(1, length - 1);
  let path = "";
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const x = width - (values.length - 1 - index) * step;
    const y = height - 3 - (value / top) * (height - 6);
    const isAfterGap = (values[index - 1] ?? null) === null;
    const isAlone = isAfterGap && (values[index + 1] ?? null) === null;
    path += isAlone
      ? `M${(x - step / 2).toFixed(1)} ${y.toFixed(1)}h${step.toFixed(1)}`
      : `${isAfterGap ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return path;
}

import type { Histogram } from "./histogram";

type Series<T> = Iterable<readonly [string, T]>;

/** Labels of a series: `a="1",b="x"`. Values are ours, never free text. */
export function label(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, "\\$&")}"`)
    .join(",");
}

const head = (name: string, help: string, type: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];
const braces = (labels: string): string => (labels === "" ? "" : `{${labels}}`);

/** The lines of a metric that only grows, one for each series. */
export function counter(name: string, help: string, series: Series<number>): string[] {
  return plain(name, help, "counter", series);
}

/** The lines of a metric that goes up and down, one for each series. */
export function gauge(name: string, help: string, series: Series<number>): string[] {
  return plain(name, help, "gauge", series);
}

function plain(name: string, help: string, type: string, series: Series<number>): string[] {
  const lines = head(name, help, type);
  for (const [labels, value] of series) lines.push(`${name}${braces(labels)} ${value}`);
  return lines;
}

/** The lines of distributions: counts up to each bound, their sum and their number, for each series. */
export function histogram(name: string, help: string, series: Series<Histogram>): string[] {
  const lines = head(name, help, "histogram");
  for (const [labels, { bounds, counts, sum }] of series) {
    const before = labels === "" ? "" : `${labels},`;
    let total = 0;
    counts.forEach((count, index) => {
      total += count;
      lines.push(`${name}_bucket{${before}le="${bounds[index] ?? "+Inf"}"} ${total}`);
    });
    lines.push(`${name}_sum${braces(labels)} ${sum}`, `${name}_count${braces(labels)} ${total}`);
  }
  return lines;
}

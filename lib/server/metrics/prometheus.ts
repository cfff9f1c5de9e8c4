/** Values counted by their upper bound; one more count than bounds: the last is of what is above all. */
interface Distribution {
  readonly bounds: readonly number[];
  readonly counts: ArrayLike<number>;
  readonly sum: number;
}

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
export function counter(name: string, help: string, series: Series<number>): Iterable<string> {
  return plain(name, help, "counter", series);
}

/** The lines of a metric that goes up and down, one for each series. */
export function gauge(name: string, help: string, series: Series<number>): Iterable<string> {
  return plain(name, help, "gauge", series);
}

function* plain(
  name: string,
  help: string,
  type: string,
  series: Series<number>,
): Generator<string> {
  yield* head(name, help, type);
  for (const [labels, value] of series) yield `${name}${braces(labels)} ${value}`;
}

/** The exposition of metrics, one after the other. */
export function linesOf(...metrics: readonly Iterable<string>[]): string {
  return metrics.map((lines) => [...lines].map((line) => `${line}\n`).join("")).join("");
}

/** The lines of distributions: counts up to each bound, their sum and their number, for each series. */
export function* histogram(
  name: string,
  help: string,
  series: Series<Distribution>,
): Generator<string> {
  yield* head(name, help, "histogram");
  for (const [labels, { bounds, counts, sum }] of series) {
    const before = labels === "" ? "" : `${labels},`;
    let total = 0;
    let text = "";
    for (let index = 0; index < counts.length; index++) {
      total += counts[index] ?? 0;
      text += `${name}_bucket{${before}le="${bounds[index] ?? "+Inf"}"} ${total}\n`;
    }
    yield `${text}${name}_sum${braces(labels)} ${sum}\n${name}_count${braces(labels)} ${total}`;
  }
}

import { quantile } from "../../quantile";
import { relativeError } from "./print";
import type { Built, Expected, Row } from "./row";

interface BuiltRow {
  readonly row: Row;
  readonly built: Built;
  readonly expected: Expected;
}

/** Nets of at least so many weights must be compiled within 2 s. */
const largeNetWeights = 20_000;

/** What is wanted of the matrix, each with what it came to: one line a goal. */
export function goalLines(rows: readonly Row[]): string[] {
  const built = rows.flatMap((row): BuiltRow[] => {
    const { planned } = row;
    if ("refused" in planned || planned.outcome.kind !== "built") return [];
    return [{ row, built: planned.outcome.built, expected: planned.expected }];
  });
  const failed = rows.filter(
    ({ planned }) => "outcome" in planned && planned.outcome.kind === "failed",
  );
  const refused = rows.filter(({ planned }) => "refused" in planned);
  const lines = [
    `${built.length} built, ${failed.length} failed, ${refused.length} that do not fit`,
  ];
  if (built.length === 0) return lines;
  const errors = (figure: "lut" | "cycles") =>
    built.flatMap(({ expected, built: measured }) => {
      const error = relativeError(expected[figure], measured[figure]);
      return error === null ? [] : [Math.abs(error)];
    });
  lines.push(
    errorLine("cells", errors("lut"), { median: 0.1, ninth: 0.25 }),
    errorLine("cycles", errors("cycles"), { median: 0.02, ninth: 0.02 }),
  );
  const slowest = (of: readonly Row[]) => Math.max(0, ...of.map(({ compileS }) => compileS));
  const large = rows.filter(
    ({ planned }) => "weights" in planned && planned.weights >= largeNetWeights,
  );
  lines.push(`slowest compile: ${slowest(rows).toFixed(2)} s`);
  if (large.length > 0) {
    const seconds = slowest(large);
    const what = `compile of ${largeNetWeights} weights and more`;
    lines.push(judged(what, `${seconds.toFixed(2)} s`, seconds <= 2, "<= 2 s"));
  }
  const losses = built.flatMap(({ row, built: { accuracy } }) => {
    const { floatAccuracy, integerAccuracy } = accuracy;
    if (floatAccuracy === null || integerAccuracy === null) return [];
    return [{ model: row.model, points: 100 * (floatAccuracy - integerAccuracy) }];
  });
  const worst = losses.sort((a, b) => b.points - a.points)[0];
  if (worst) {
    const what = `${worst.points.toFixed(2)} points of accuracy lost at most, by ${worst.model}`;
    lines.push(judged("8/8/8", what, worst.points <= 0.5 + 1e-9, "<= 0.5"));
  }
  return lines;
}

function errorLine(
  what: string,
  errors: readonly number[],
  goal: { readonly median: number; readonly ninth: number },
): string {
  const [median, ninth] = [quantile(errors, 0.5), quantile(errors, 0.9)];
  const said = `median ${(100 * median).toFixed(1)} %, 90th percentile ${(100 * ninth).toFixed(1)} %`;
  const met = median <= goal.median && ninth <= goal.ninth;
  return judged(what, said, met, `<= ${100 * goal.median} %, <= ${100 * goal.ninth} %`);
}

const judged = (what: string, said: string, met: boolean, goal: string) =>
  `${what}: ${said} (goal ${goal}: ${met ? "met" : "missed"})`;

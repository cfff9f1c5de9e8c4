import {
  type Expectation,
  type ForecastDeviation,
  type ForecastFigure,
  forecastFigures,
} from "@/lib/common/contract";
import { quantile } from "./quantile";

/** One finished build: what was expected of it, and what the tools measured; null where nothing was. */
export interface Measured {
  readonly expected: Expectation;
  readonly measured: Readonly<Record<ForecastFigure, number | null>>;
}

/**
 * How far forecasts were off, by family, architecture and figure. A figure that was expected to be 0, or measured as 0,
 * has no ratio and is left out.
 */
export function forecastDeviations(builds: readonly Measured[]): ForecastDeviation[] {
  const ratios = new Map<string, { key: Key; values: number[] }>();
  for (const { expected, measured } of builds) {
    for (const figure of forecastFigures) {
      const guess = figure === "clock" ? expected.clockHz : expected.figures[figure];
      const found = measured[figure];
      if (guess === undefined || guess <= 0 || found === null || found <= 0) continue;
      const { family, architecture } = expected;
      const name = [family, architecture, figure].join(" ");
      const entry = ratios.get(name) ?? { key: { family, architecture, figure }, values: [] };
      entry.values.push(found / guess);
      ratios.set(name, entry);
    }
  }
  return [...ratios]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { key, values }]) => {
      const sorted = [...values].sort((a, b) => a - b);
      const errors = sorted.map((ratio) => Math.abs(1 - 1 / ratio)).sort((a, b) => a - b);
      return {
        ...key,
        builds: sorted.length,
        medianRatio: quantile(sorted, 0.5),
        lowRatio: quantile(sorted, 0.1),
        highRatio: quantile(sorted, 0.9),
        medianError: quantile(errors, 0.5),
      };
    });
}

type Key = Pick<ForecastDeviation, "family" | "architecture" | "figure">;

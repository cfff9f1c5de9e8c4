/** Where values lie on an axis, in percent of it, and the values to write there. */
export interface Axis {
  readonly ticks: readonly number[];
  at(value: number): number;
}

const mostTicks = 6;

/** An axis from the least to the greatest of the values, with ticks at round numbers. */
export function linearAxis(values: readonly number[]): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || 1;
  const decade = 10 ** Math.floor(Math.log10(span / mostTicks));
  const step = decade * ([1, 2, 5].find((each) => span / (each * decade) <= mostTicks) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return {
    ticks: Array.from({ length: count }, (_, n) => (first + n) * step),
    at: (value) => ((value - low) / span) * 100,
  };
}

/** Where values lie on an axis, and the ticks to write there. */
export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** A logarithmic scale that begins and ends a little beyond the values, with ticks at 1, 2 and 5. */
export function logScale(values: readonly number[], start: number, end: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // Values that are close still have ticks around them.
  const beyond = most < 2 * least ? 2 : 1.25;
  const low = Math.log10(least / beyond);
  const high = Math.log10(most * beyond);
  const ticks: number[] = [];
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const step of [1, 2, 5]) {
      const tick = step * 10 ** decade;
      if (Math.log10(tick) >= low && Math.log10(tick) <= high) ticks.push(tick);
    }
  }
  return {
    ticks,
    at: (value: number) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
  };
}

/** Round numbers from 0 to the first that holds a value: three or four of them. */
export function valueTicks(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(most));
  const step = [0.25, 0.5, 1, 2, 2.5, 5].map((factor) => factor * size).find((s) => most / s <= 4);
  const each = step ?? size * 5;
  const count = Math.max(1, Math.ceil(most / each - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * each).toPrecision(6)));
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minuteMs),
  ...[1, 2, 3, 6, 12].map((n) => n * hourMs),
  ...[1, 2, 5, 10].map((n) => n * dayMs),
];

/** Moments that a time axis names: round ones of the reader's own time zone. */
export function timeTicks(fromMs: number, toMs: number, most: number): number[] {
  const step = timeSteps.find((each) => (toMs - fromMs) / each <= most) ?? dayMs * 10;
  const zoneMs = new Date(fromMs).getTimezoneOffset() * minuteMs;
  const first = Math.ceil((fromMs - zoneMs) / step) * step + zoneMs;
  const ticks: number[] = [];
  for (let at = first; at <= toMs; at += step) ticks.push(at);
  return ticks;
}

/** Powers of ten, with 2 and 5 between them where few are needed, within bounds. */
export function logTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  const wide = Math.log10(high / low) > 3;
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of wide ? [1] : [1, 2, 5]) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** A unit of time in which numbers stay short, and how many of them are a millisecond. */
export interface TimeUnit {
  readonly name: "µs" | "ms" | "s";
  readonly perMs: number;
}

/** The unit for times up to some milliseconds. */
export function timeUnit(mostMs: number): TimeUnit {
  if (mostMs < 1) return { name: "µs", perMs: 1000 };
  return mostMs < 2000 ? { name: "ms", perMs: 1 } : { name: "s", perMs: 0.001 };
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: "compact" });

/** A number of an axis, short: `0.25`, `4,500`, `701K`. */
export const tickText = (value: number): string =>
  (Math.abs(value) < 10_000 ? digits : compact).format(value);

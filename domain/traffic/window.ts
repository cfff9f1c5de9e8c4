import type { TrafficQuery, TrafficRange } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const spans: Readonly<Record<TrafficRange, number>> = {
  "1h": hourMs,
  "24h": dayMs,
  "30d": 30 * dayMs,
};
const steps = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * minuteMs);
/** Points that a chart has at most. */
const mostPoints = 360;

/** A stretch of time cut into steps: its points begin at `fromMs`, one step apart. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** When the oldest minute began that has not been added to its hour yet. */
export const minutesFromMs = (nowMs: number): number => floorTo(nowMs - dayMs, hourMs);

export const floorTo = (ms: number, step: number): number => Math.floor(ms / step) * step;

/**
 * The window that is asked for: whole steps, not later than now, not longer than what is kept.
 *
 * @throws {AppError} `QUERY_INVALID` for a stretch without any length.
 */
export function trafficWindow({ range, from, to }: TrafficQuery, nowMs: number): Window {
  const toMs = Math.min(nowMs, to === undefined ? nowMs : Date.parse(to));
  const span = spans[range ?? "1h"];
  const asked = from === undefined ? toMs - span : Math.max(Date.parse(from), nowMs - 31 * dayMs);
  if (!(asked < toMs)) {
    throw fail("QUERY_INVALID", "This stretch of time has no length, or lies in the future.", {
      field: "from",
      hint: "Let from be before to, and not later than now.",
    });
  }
  const least = asked < minutesFromMs(nowMs) ? hourMs : minuteMs;
  const stepMs = steps.find((step) => step >= least && (toMs - asked) / step <= mostPoints);
  const step = stepMs ?? (steps.at(-1) as number);
  // A stretch up to now ends in the step that is not over yet, so it begins in the step after the one that it would touch.
  const fromMs = from === undefined ? floorTo(asked, step) + step : floorTo(asked, step);
  return { fromMs: Math.min(fromMs, floorTo(toMs - 1, step)), toMs, stepMs: step };
}

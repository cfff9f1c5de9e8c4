import { windowSteps, windowsOf } from "./plan-walk";
import type { Sweep } from "./sweep";

/**
 * Registers between a step of the walk and what becomes of it, in cycles. `emit-core.ts` builds exactly these; a
 * simulation of every emitted core checks them.
 */
export const pipeline = {
  /** From the last input byte to the first step. */
  launch: 2,
  /** From the last step of a window to its first sum with bias (`tap_accumulator`). */
  accumulator: 7,
  /** … to the requantised value (`tap_value`). */
  value: 11,
  /** … to the value as it is written (`tap_pool`), and one more where values are looked up (`tap_table`). */
  pool: 12,
  /** Fewest steps of a window; what goes along with a group of sums is held for so long. */
  spacing: 8,
  /** From the last step of a sweep to the next one's first, besides a cycle for each lane: all is written by then. */
  sweep: 10,
  /** From the last value to the first result byte. */
  answer: 3,
} as const;

/** When a sweep's windows run. Exact, since nothing in the core depends on the data. */
export interface SweepTimes {
  readonly steps: number;
  /** Cycles without a step after each window. */
  readonly pause: number;
  readonly windows: number;
  /** Cycle of the first step, counted from the one in which the core accepted the row's last byte. */
  readonly start: number;
}

export interface MapSchedule {
  readonly lanes: number;
  readonly times: readonly SweepTimes[];
  /** Cycles without a step after each sweep. */
  readonly sweepPause: number;
  /** Cycles that looking a value up takes; 0 in cores without tables. */
  readonly lookUp: 0 | 1;
  /** From the cycle in which the last input byte was accepted to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
}

/** Lays the sweeps end to end: the sums of a window must have left before the next ones come. */
export function scheduleSweeps(sweeps: readonly Sweep[], lanes: number): MapSchedule {
  const spacing = Math.max(lanes, pipeline.spacing);
  const lookUp = sweeps.some(({ table }) => table !== null) ? 1 : 0;
  const sweepPause = pipeline.sweep + lookUp + lanes - 1;
  const times: SweepTimes[] = [];
  let start: number = pipeline.launch;
  let last = 0;
  for (const sweep of sweeps) {
    const steps = windowSteps(sweep);
    const pause = Math.max(0, spacing - steps);
    const windows = windowsOf(sweep);
    times.push({ steps, pause, windows, start });
    last = start + windows * (steps + pause) - pause - 1;
    start = last + 1 + sweepPause;
  }
  const outputs = sweeps.at(-1)?.groups.at(-1)?.outputs ?? 1;
  return {
    lanes,
    times,
    sweepPause,
    lookUp,
    latencyCycles: last + pipeline.value + lookUp + outputs - 1 + pipeline.answer,
  };
}

/** Cycles of a sweep, without the pause behind it. */
export function cyclesOf(sweep: Sweep, lanes: number): number {
  return windowsOf(sweep) * Math.max(windowSteps(sweep), lanes, pipeline.spacing);
}

/** Cycle of the last step of a window. */
export const windowEnd = ({ start, steps, pause }: SweepTimes, window: number): number =>
  start + window * (steps + pause) + steps - 1;

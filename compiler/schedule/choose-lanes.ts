import { fail } from "@/lib/common/errors";
import { buildSchedule, type LayerShape, type Schedule } from "./build-schedule";
import {
  estimateResources,
  type PartResources,
  type ResourceEstimate,
  usableCells,
} from "./estimate-resources";
import { type Lacking, lackingOf } from "./lacking";

export interface Choice {
  readonly schedule: Schedule;
  readonly estimate: ResourceEstimate;
}

/** What the smallest candidate lacks, in words and by resource. */
export interface NoChoice {
  readonly ok: false;
  readonly lack: string;
  readonly lacking: readonly Lacking[];
}

/** More lanes than this have never paid: routing one activation to all of them ends the clock. */
const maxLanes = 64;

/**
 * The smallest number of lanes that reaches the fewest cycles of all that fit the part.
 *
 * @param lanes A wish; null leaves the choice open.
 * @returns The choice, or what the smallest candidate lacks.
 */
export function chooseLanes(
  layers: readonly LayerShape[],
  accumulatorWidth: number,
  part: PartResources,
  lanes: number | null = null,
): { readonly ok: true; readonly choice: Choice } | NoChoice {
  const widest = Math.max(...layers.map(({ outputSize }) => outputSize));
  const most = Math.min(maxLanes, widest, part.dsp > 0 ? part.dsp : maxLanes);
  if (lanes !== null && part.dsp > 0 && lanes > part.dsp) {
    throw fail(
      "OPTION_INVALID",
      `${lanes} lanes need as many multipliers; there are ${part.dsp}.`,
      {
        field: "options.lanes",
        hint: `Choose at most ${part.dsp} lanes, or leave the choice to the compiler.`,
      },
    );
  }
  const candidates =
    lanes === null ? Array.from({ length: most }, (_, index) => index + 1) : [lanes];
  let best: Choice | null = null;
  let smallest: Choice | null = null;
  for (const count of candidates) {
    const schedule = buildSchedule(layers, count);
    const estimate = estimateResources(schedule, accumulatorWidth, part);
    const choice = { schedule, estimate };
    if (!smallest || excess(estimate, part) < excess(smallest.estimate, part)) smallest = choice;
    if (excess(estimate, part) > 1) continue;
    if (!best || schedule.latencyCycles < best.schedule.latencyCycles) best = choice;
  }
  if (best) return { ok: true, choice: best };
  return {
    ok: false,
    lack: smallest ? lackOf(smallest.estimate, part) : "needs no lanes",
    lacking: smallest ? allLacking(smallest.estimate, part) : [],
  };
}

/** How full the fullest resource would be; above 1 it does not fit. */
function excess(estimate: ResourceEstimate, part: PartResources): number {
  return Math.max(
    estimate.lut / (part.lut * usableCells),
    estimate.bramBlocks / Math.max(1, part.bramBlocks),
  );
}

function allLacking({ lut, bramBlocks }: ResourceEstimate, part: PartResources): Lacking[] {
  const usable = Math.floor(part.lut * usableCells);
  return [lackingOf("bram", bramBlocks, part.bramBlocks), lackingOf("lut", lut, usable)].filter(
    ({ needed, available }) => needed > available,
  );
}

function lackOf(estimate: ResourceEstimate, part: PartResources): string {
  const parts: string[] = [];
  if (estimate.bramBlocks > part.bramBlocks) {
    parts.push(`needs ${estimate.bramBlocks} block RAMs of ${part.bramBlocks}`);
  }
  const usable = Math.floor(part.lut * usableCells);
  if (estimate.lut > usable)
    parts.push(`needs about ${estimate.lut} logic cells of ${usable} usable`);
  return parts.join(" and ");
}

import { fail } from "@/lib/common/errors";
import { type Lacking, lackInWords, lackingFor } from "../../target/lacking";
import type { ArrayPart } from "../../target/part";
import { usableCells } from "../../target/usable-cells";
import { estimateResources, type ResourceEstimate } from "./estimate";
import { mostLanes, multipliersOf } from "./multipliers";
import { buildSchedule, type LayerShape, type Schedule } from "./schedule";

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

/** Cycles that may be lost to have fewer lanes: a few percent are not worth their cells, nor the clock that many cost. */
const worthwhile = 0.05;

/**
 * The smallest number of lanes that comes near the fewest cycles of all that fit the part.
 *
 * @param lanes A wish; null leaves the choice open.
 * @returns The choice, or what the smallest candidate lacks.
 */
export function chooseLanes(
  layers: readonly LayerShape[],
  accumulatorWidth: number,
  part: ArrayPart,
  lanes: number | null = null,
): { readonly ok: true; readonly choice: Choice } | NoChoice {
  const widest = Math.max(...layers.map(({ outputSize }) => outputSize));
  const blocks = mostLanes(multipliersOf(part));
  const most = Math.min(maxLanes, widest, blocks ?? maxLanes);
  if (lanes !== null && blocks !== null && lanes > blocks) {
    throw fail(
      "OPTION_INVALID",
      `${lanes} lanes are asked for; the multipliers of the part make ${blocks}.`,
      {
        field: "options.lanes",
        hint: `Choose at most ${blocks} lanes, or leave the choice to the compiler.`,
      },
    );
  }
  const candidates =
    lanes === null ? Array.from({ length: most }, (_, index) => index + 1) : [lanes];
  const fitting: Choice[] = [];
  let smallest: Choice | null = null;
  for (const count of candidates) {
    const schedule = buildSchedule(layers, count);
    const estimate = estimateResources(schedule, accumulatorWidth, part);
    const choice = { schedule, estimate };
    if (!smallest || excess(estimate, part) < excess(smallest.estimate, part)) smallest = choice;
    if (excess(estimate, part) <= 1) fitting.push(choice);
  }
  const fewest = Math.min(...fitting.map(({ schedule }) => schedule.latencyCycles));
  const best = fitting.find(({ schedule }) => schedule.latencyCycles <= fewest * (1 + worthwhile));
  if (best) return { ok: true, choice: best };
  const lacking = smallest ? lackingFor(smallest.estimate, part) : [];
  return { ok: false, lack: lackInWords(lacking), lacking };
}

/** How full the fullest resource would be; above 1 it does not fit. */
function excess(estimate: ResourceEstimate, part: ArrayPart): number {
  return Math.max(
    estimate.lut / (part.lut * usableCells),
    estimate.bramBlocks / Math.max(1, part.bramBlocks),
  );
}

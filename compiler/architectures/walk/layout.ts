import { fail } from "@/lib/common/errors";
import type { IntegerGraph } from "../../integer/integer-graph";
import { type Lacking, lackingFor } from "../../target/lacking";
import type { ArrayPart, PartResources } from "../../target/part";
import { usableCells } from "../../target/usable-cells";
import { storedMapsOf } from "./build-sweeps";
import { type CoreLayout, layOutSweeps, timeSweeps } from "./core-layout";
import { estimateMaps, type MapEstimate } from "./estimate";

export interface LayoutChoice {
  readonly layout: CoreLayout;
  readonly estimate: MapEstimate;
}

/** Routing one activation to more lanes than this ends the clock. */
const maxLanes = 32;

/**
 * The fewest lanes of those that reach the fewest cycles, among all layouts of a graph that fit a part; else what the
 * layout that comes closest has too little of. Weights are not looked at: a graph without them gives the same.
 *
 * @param lanes Asked for; null leaves the choice open.
 */
export function chooseLayout(
  graph: IntegerGraph,
  part: ArrayPart,
  lanes: number | null,
):
  | { readonly choice: LayoutChoice }
  | { readonly choice: null; readonly lacking: readonly Lacking[] } {
  let best: LayoutChoice | null = null;
  let closest: MapEstimate | null = null;
  for (const timed of sweepsFor(graph, part, lanes)) {
    if (best && timed.schedule.latencyCycles >= best.layout.schedule.latencyCycles) continue;
    const layout = layOutSweeps(timed);
    const estimate = estimateMaps(layout, part);
    if (!closest || excess(estimate, part) < excess(closest, part)) closest = estimate;
    if (excess(estimate, part) <= 1) best = { layout, estimate };
    // One lane wastes no word of its memory: more lanes never take fewer blocks.
    if (!best && estimate.bramBlocks > part.bramBlocks) break;
  }
  if (best) return { choice: best };
  return { choice: null, lacking: closest ? lackingFor(closest, part) : [] };
}

/** All sweeps that a part could run; lanes pair up two by two. */
function* sweepsFor(graph: IntegerGraph, part: PartResources, lanes: number | null) {
  const maps = storedMapsOf(graph);
  const most = Math.min(maxLanes, part.dsp > 0 ? part.dsp : maxLanes);
  const counts = lanes ? [lanes] : Array.from({ length: most }, (_, index) => index + 1);
  for (const count of counts) {
    yield timeSweeps(maps, count, false);
    if (count % 2 !== 0) continue;
    const paired = timeSweeps(maps, count, true);
    if (paired.hasPairs) yield paired;
  }
}

/** How full the fullest resource would be; above 1 it does not fit. */
function excess({ lut, bramBlocks }: MapEstimate, part: PartResources): number {
  return Math.max(lut / (part.lut * usableCells), bramBlocks / Math.max(1, part.bramBlocks));
}

/** @throws {AppError} `OPTION_INVALID` for lanes without multipliers. */
export function refuseLanes(lanes: number | null, part: PartResources): void {
  if (hasMultipliers(lanes, part)) return;
  throw fail("OPTION_INVALID", `${lanes} lanes need as many multipliers; there are ${part.dsp}.`, {
    field: "options.lanes",
    hint: `Choose at most ${part.dsp} lanes, or leave the choice to the compiler.`,
  });
}

/** @throws {AppError} `OPTION_INVALID` for an architecture that feature maps do not have. */
export function refuseUnrolled(architecture: string | undefined): void {
  if (architecture !== "unrolled") return;
  throw fail("OPTION_INVALID", "Convolutions are not unrolled: they share one array.", {
    field: "options.architecture",
    hint: "Leave the architecture to the compiler.",
  });
}

/** Where a part has multiplier blocks, each lane takes one. */
export const hasMultipliers = (lanes: number | null, { dsp }: PartResources): boolean =>
  lanes === null || dsp === 0 || lanes <= dsp;

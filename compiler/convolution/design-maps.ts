import { fail } from "@/lib/common/errors";
import type { IntegerGraph, Tap } from "../integer-graph";
import { type PartResources, usableCells } from "../schedule";
import { type CoreLayout, layOutCore } from "./core-layout";
import { emitMapCore } from "./emit-core";
import { estimateMaps, type MapEstimate } from "./estimate";
import { mapTaps } from "./taps";

/** A model of feature maps as hardware for one part. */
export interface MapDesign {
  readonly lanes: number;
  readonly verilog: string;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
  /** Of core and shell, before any tool ran. */
  readonly estimate: MapEstimate;
}

interface Target {
  /** How people call the board, for messages. */
  readonly name: string;
  readonly part: PartResources;
}

export interface MapDesignRequest {
  readonly graph: IntegerGraph;
  readonly board: Target;
  /** Other boards that could be built for. */
  readonly others: readonly Target[];
  /** Lanes asked for; null leaves the choice to the compiler. */
  readonly lanes: number | null;
}

/** Routing one activation to more lanes than this ends the clock. */
const maxLanes = 32;

/**
 * Lays a graph of maps out on the part's array and prints its Verilog.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit; `OPTION_INVALID` for lanes without
 * multipliers.
 */
export function designMaps({ graph, board, others, lanes }: MapDesignRequest): MapDesign {
  const { part } = board;
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
  const layouts = layoutsFor(graph, part, lanes);
  const choice = choose(layouts, part);
  if (!choice) {
    const lack = lackOf(layouts, part);
    const larger = others.find((other) =>
      choose(layoutsFor(graph, other.part, lanes ?? 1), other.part),
    );
    throw fail("MODEL_TOO_LARGE", `The model ${lack} on ${board.name}.`, {
      hint: larger
        ? `${larger.name} is large enough; or give its layers fewer channels.`
        : "Give its layers fewer channels, or use the onnx engine on a CPU board.",
      details: { board: larger?.name ?? null },
    });
  }
  const { layout, estimate } = choice;
  return {
    lanes: layout.lanes,
    verilog: emitMapCore(layout, estimate),
    taps: mapTaps(layout.sweeps, layout.schedule),
    latencyCycles: layout.schedule.latencyCycles,
    estimate,
  };
}

function layoutsFor(
  graph: IntegerGraph,
  part: PartResources,
  lanes: number | null,
): readonly CoreLayout[] {
  const most = Math.min(maxLanes, part.dsp > 0 ? part.dsp : maxLanes);
  const counts = lanes ? [lanes] : Array.from({ length: most }, (_, index) => index + 1);
  return counts.flatMap((count) => {
    const single = layOutCore(graph, count, false);
    const paired = layOutCore(graph, count, true);
    return paired.hasPairs ? [single, paired] : [single];
  });
}

/** The fewest lanes of those that reach the fewest cycles, among all that fit. */
function choose(layouts: readonly CoreLayout[], part: PartResources) {
  let best: { readonly layout: CoreLayout; readonly estimate: MapEstimate } | null = null;
  for (const layout of layouts) {
    const estimate = estimateMaps(layout, part);
    if (excess(estimate, part) > 1) continue;
    const fewest = best?.layout.schedule.latencyCycles ?? Number.POSITIVE_INFINITY;
    if (layout.schedule.latencyCycles < fewest) best = { layout, estimate };
  }
  return best;
}

/** How full the fullest resource would be; above 1 it does not fit. */
function excess({ lut, bramBlocks }: MapEstimate, part: PartResources): number {
  return Math.max(lut / (part.lut * usableCells), bramBlocks / Math.max(1, part.bramBlocks));
}

/** What the layout that comes closest has too little of. */
function lackOf(layouts: readonly CoreLayout[], part: PartResources): string {
  const [closest] = layouts
    .map((layout) => estimateMaps(layout, part))
    .sort((a, b) => excess(a, part) - excess(b, part));
  if (!closest) return "needs no lanes";
  const usable = Math.floor(part.lut * usableCells);
  return [
    closest.bramBlocks > part.bramBlocks
      ? `needs ${closest.bramBlocks} block RAMs of ${part.bramBlocks}`
      : "",
    closest.lut > usable ? `needs about ${closest.lut} logic cells of ${usable} usable` : "",
  ]
    .filter((each) => each !== "")
    .join(" and ");
}

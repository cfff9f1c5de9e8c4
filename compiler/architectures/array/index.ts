import { fail } from "@/lib/common/errors";
import type { IntegerGraph } from "../../integer/integer-graph";
import { hasLayersOnly, layersOf } from "../../integer/layers";
import { levelTables } from "../../integer/level-tables";
import { arrayPart } from "../../target/part";
import type { Architecture, LayoutRequest } from "../architecture";
import { type LayerSpans, timelineOf } from "../timeline";
import { emitCore } from "./emit";
import type { ResourceEstimate } from "./estimate";
import { chooseLanes } from "./layout";
import { nearestSizes } from "./nearest-sizes";
import type { LayerShape, Schedule } from "./schedule";
import { arraySections } from "./sections";
import { accumulatorWidthOf, layerShapesOf } from "./stages";
import { arrayRefusal } from "./takes";
import { tapsOf } from "./taps";

export interface ArrayLayout {
  readonly graph: IntegerGraph;
  readonly schedule: Schedule;
  readonly estimate: ResourceEstimate;
}

/** One array of multipliers that works off all dense layers. */
export const array: Architecture<ArrayLayout> = {
  id: "array",
  takes: hasLayersOnly,
  isAskedBy: ({ architecture }) => architecture !== "unrolled",
  check({ graph, wish: { architecture } }) {
    const refusal = arrayRefusal(graph);
    if (refusal === null) return;
    throw fail("OPTION_INVALID", `The array ${refusal}.`, {
      field: architecture === "array" ? "options.architecture" : "options.lanes",
      hint: "Leave the architecture to the compiler, which unrolls such models.",
    });
  },
  layOut({ graph: asked, target, wish: { lanes } }) {
    const graph = levelTables(asked);
    const result = chooseLanes(
      layerShapesOf(graph),
      accumulatorWidthOf(graph),
      arrayPart(target),
      lanes,
    );
    if (!result.ok) return { fits: false, lack: result.lack, lacking: result.lacking };
    const { schedule, estimate } = result.choice;
    const layout = { graph, schedule, estimate };
    return { fits: true, layout, resources: estimate, latencyCycles: schedule.latencyCycles };
  },
  smaller({ graph, target, wish: { lanes } }: LayoutRequest) {
    const leveled = levelTables(graph);
    const width = accumulatorWidthOf(leveled);
    const part = arrayPart(target);
    const sizes = [graph.input.size, ...layerShapesOf(leveled).map(({ outputSize }) => outputSize)];
    const nearest = nearestSizes(sizes, (of) => chooseLanes(plain(of), width, part, lanes).ok);
    const words = nearest ? `layers of ${nearest.join("-")} would fit` : "";
    return { words, details: { sizes, nearest } };
  },
  emit({ graph, schedule, estimate }) {
    const taps = tapsOf(graph, schedule);
    const { latencyCycles, lanes } = schedule;
    return {
      graph,
      verilog: emitCore(graph, schedule, estimate),
      taps,
      sections: arraySections,
      timeline: timelineOf({ graph, layers: passesOf(graph, schedule), latencyCycles }),
      lanes,
      ownMultipliers: estimate.multipliers.paired,
      note: "One array of multipliers works off all layers.",
    };
  },
};

/** When the array multiplies for each layer, pass by pass. */
function passesOf(graph: IntegerGraph, { groups }: Schedule): LayerSpans[] {
  return layersOf(graph).map(({ dense: { name } }, layer) => {
    const own = groups.filter((group) => group.layer === layer);
    return {
      name,
      spans: own.map(({ start, inputs }) => ({ from: start, to: start + inputs - 1 })),
    };
  });
}

/** Dense layers with nothing behind them. */
const plain = (sizes: readonly number[]): LayerShape[] =>
  sizes.slice(1).map((outputSize, index) => ({ inputSize: sizes[index] ?? 1, outputSize }));

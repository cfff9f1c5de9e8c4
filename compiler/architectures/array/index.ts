import type { IntegerGraph } from "../../integer/integer-graph";
import { hasLayersOnly, layersOf } from "../../integer/layers";
import { levelTables } from "../../integer/level-tables";
import type { Architecture } from "../architecture";
import { type LayerSpans, timelineOf } from "../timeline";
import { emitCore } from "./emit";
import {
  type ArrayOutline,
  arrayEstimator,
  fitArray,
  nearestArray,
  refuseArray,
  sizesOf,
} from "./estimator";
import type { Choice } from "./layout";
import { outlineArray } from "./outline";
import type { Schedule } from "./schedule";
import { arraySections } from "./sections";
import { arrayRefusal } from "./takes";
import { tapsOf } from "./taps";

export interface ArrayLayout extends Choice {
  readonly graph: IntegerGraph;
}

/** One array of multipliers that works off all dense layers. */
export const array: Architecture<ArrayLayout, ArrayOutline> = {
  id: arrayEstimator.id,
  takes: hasLayersOnly,
  isAskedBy: arrayEstimator.isAskedBy,
  check: ({ graph, wish }) => refuseArray(arrayRefusal(graph), wish),
  outline: ({ graph }) => outlineArray(levelTables(graph)),
  layOut(request) {
    const graph = levelTables(request.graph);
    const fit = fitArray(outlineArray(graph), request);
    return fit.fits ? { ...fit, layout: { graph, ...fit.layout } } : fit;
  },
  smaller(request) {
    const outline = outlineArray(levelTables(request.graph));
    const nearest = nearestArray(outline, request);
    const words = nearest ? `layers of ${nearest.join("-")} would fit` : "";
    return { words, details: { sizes: sizesOf(outline), nearest } };
  },
  emit({ graph, schedule, estimate }) {
    const taps = tapsOf(graph, schedule);
    const { latencyCycles } = schedule;
    return {
      graph,
      verilog: emitCore(graph, schedule, estimate),
      taps,
      sections: arraySections,
      timeline: timelineOf({ graph, layers: passesOf(graph, schedule), latencyCycles }),
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

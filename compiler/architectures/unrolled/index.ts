import type { IntegerGraph } from "../../integer/integer-graph";
import { hasLayersOnly } from "../../integer/layers";
import type { Architecture } from "../architecture";
import { layersByTaps, timelineOf } from "../timeline";
import { refuseUnrolledLanes, unrolledEstimator } from "./estimator";
import { type FittingCore, fitUnrolled } from "./layout";
import { outlineUnrolled } from "./outline";
import { unrolledSections } from "./sections";
import type { UnrolledOutline } from "./unrolled-outline";

export interface UnrolledLayout extends FittingCore {
  readonly graph: IntegerGraph;
}

/** Every weight is adders of its own. */
export const unrolled: Architecture<UnrolledLayout, UnrolledOutline> = {
  id: unrolledEstimator.id,
  takes: hasLayersOnly,
  isAskedBy: unrolledEstimator.isAskedBy,
  check: ({ wish: { lanes } }) => refuseUnrolledLanes(lanes),
  outline: outlineUnrolled,
  layOut(request) {
    const fit = fitUnrolled(request);
    return fit.fits ? { ...fit, layout: { graph: request.graph, ...fit.layout } } : fit;
  },
  smaller: () => null,
  emit({ graph, need, core: { taps, layers, latencyCycles, emit } }) {
    return {
      graph,
      verilog: emit(),
      taps,
      sections: unrolledSections(layers),
      timeline: timelineOf({ graph, layers: layersByTaps(graph, taps), latencyCycles }),
      note: `Every weight has adders of its own: ${need}.`,
    };
  },
};

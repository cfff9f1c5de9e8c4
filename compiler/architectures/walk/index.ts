import type { IntegerGraph } from "../../integer/integer-graph";
import { levelTables } from "../../integer/level-tables";
import type { Architecture } from "../architecture";
import { type LayerSpans, timelineOf } from "../timeline";
import { type CoreLayout, layOutCore } from "./core-layout";
import { emitMapCore } from "./emit";
import type { MapEstimate } from "./estimate";
import { fitWalk, walkEstimator } from "./estimator";
import { refuseLanes, refuseUnrolled } from "./layout";
import { outlineWalk } from "./outline";
import { windowEnd } from "./schedule";
import { walkSections } from "./sections";
import { mapTaps } from "./taps";
import type { WalkOutline } from "./walk-outline";

export interface WalkLayout {
  readonly graph: IntegerGraph;
  readonly core: CoreLayout;
  readonly estimate: MapEstimate;
}

const ops: ReadonlySet<string> = new Set([
  "convolution",
  "max-pool",
  "add",
  "product",
  "concat",
  "requantize",
  "table",
]);

/** One array of multipliers that walks through all feature maps in turn. */
export const walk: Architecture<WalkLayout, WalkOutline> = {
  id: walkEstimator.id,
  takes: ({ nodes }) => nodes.every(({ op }) => ops.has(op)),
  isAskedBy: walkEstimator.isAskedBy,
  check({ target, wish: { architecture, lanes } }) {
    refuseUnrolled(architecture);
    refuseLanes(lanes, target.part);
  },
  outline: ({ graph }) => outlineWalk(levelTables(graph)),
  layOut(request) {
    const graph = levelTables(request.graph);
    const fit = fitWalk(outlineWalk(graph), request);
    if (!fit.fits) return fit;
    const { layout, estimate } = fit.layout;
    const core = layOutCore(graph, layout.lanes, layout.hasPairs);
    return { ...fit, layout: { graph, core, estimate } };
  },
  smaller: () => ({ words: "give its layers fewer channels", details: {} }),
  emit({ graph, core, estimate }) {
    const { lanes, sweeps, schedule } = core;
    const taps = mapTaps(sweeps, schedule);
    return {
      graph,
      verilog: emitMapCore(core, estimate),
      taps,
      sections: walkSections,
      timeline: timelineOf({
        graph,
        layers: turnsOf(core),
        latencyCycles: schedule.latencyCycles,
      }),
      note: `One array of ${lanes} multipliers walks through all feature maps in turn.`,
    };
  },
};

/** When the array walks through the maps of each layer; what is pooled at once belongs to the sums. */
function turnsOf({ sweeps, schedule: { times } }: CoreLayout): LayerSpans[] {
  return sweeps.map(({ nodes: { sum, pool } }, index) => {
    const time = times[index];
    const to = time ? windowEnd(time, time.windows - 1) : 0;
    return { name: sum ?? pool ?? "", spans: [{ from: time?.start ?? 0, to }] };
  });
}

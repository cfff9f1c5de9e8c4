import type { IntegerGraph } from "../../integer/integer-graph";
import { levelTables } from "../../integer/level-tables";
import { lackInWords } from "../../target/lacking";
import { arrayPart } from "../../target/part";
import type { Architecture } from "../architecture";
import { type LayerSpans, timelineOf } from "../timeline";
import type { CoreLayout } from "./core-layout";
import { emitMapCore } from "./emit";
import type { MapEstimate } from "./estimate";
import { chooseLayout, refuseLanes, refuseUnrolled } from "./layout";
import { windowEnd } from "./schedule";
import { walkSections } from "./sections";
import { mapTaps } from "./taps";

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
export const walk: Architecture<WalkLayout> = {
  id: "walk",
  takes: ({ nodes }) => nodes.every(({ op }) => ops.has(op)),
  isAskedBy: () => true,
  check({ target, wish: { architecture, lanes } }) {
    refuseUnrolled(architecture);
    refuseLanes(lanes, target.part);
  },
  layOut({ graph: asked, target, wish: { lanes } }) {
    const graph = levelTables(asked);
    const chosen = chooseLayout(graph, arrayPart(target), lanes);
    if (!chosen.choice) {
      const { lacking } = chosen;
      return { fits: false, lack: lackInWords(lacking), lacking };
    }
    const { layout: core, estimate } = chosen.choice;
    const layout = { graph, core, estimate };
    return { fits: true, layout, resources: estimate, latencyCycles: core.schedule.latencyCycles };
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
      lanes,
      ownMultipliers: false,
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

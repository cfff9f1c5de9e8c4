import { fail } from "@/lib/common/errors";
import type { IntegerGraph } from "../../integer/integer-graph";
import { hasLayersOnly } from "../../integer/layers";
import { shellCells } from "../../target/shell";
import type { Architecture } from "../architecture";
import { layersByTaps, timelineOf } from "../timeline";
import type { UnrolledCore } from "./design-unrolled";
import { fitUnrolled } from "./layout";
import { unrolledSections } from "./sections";

export interface UnrolledLayout {
  readonly graph: IntegerGraph;
  readonly core: UnrolledCore;
  /** As `about 6582 logic cells of 18216 usable`. */
  readonly need: string;
}

/** Every weight is adders of its own. */
export const unrolled: Architecture<UnrolledLayout> = {
  id: "unrolled",
  takes: hasLayersOnly,
  isAskedBy: ({ architecture, lanes }) =>
    architecture === "unrolled" || (architecture === "auto" && lanes === null),
  check({ wish: { lanes } }) {
    if (lanes === null) return;
    throw fail("OPTION_INVALID", `An unrolled design has no lanes; ${lanes} are asked for.`, {
      field: "options.lanes",
      hint: "Leave the lanes out, or choose the array as architecture.",
    });
  },
  layOut({ graph, target, mostCells, isQuick = false }) {
    const fit = fitUnrolled(graph, target, { mostCells, isQuick });
    if (!fit.core)
      return { fits: false, lack: `needs ${fit.lack} when unrolled`, lacking: fit.lacking };
    const { estimate, latencyCycles } = fit.core;
    return {
      fits: true,
      layout: { graph, core: fit.core, need: fit.need },
      resources: {
        lut: estimate.lut + shellCells.lut,
        bramBlocks: estimate.bramBlocks + shellCells.bramBlocks,
        dsp: 0,
      },
      latencyCycles,
    };
  },
  smaller: () => null,
  emit({ graph, need, core: { taps, layers, latencyCycles, emit } }) {
    return {
      graph,
      verilog: emit(),
      taps,
      sections: unrolledSections(layers),
      timeline: timelineOf({ graph, layers: layersByTaps(graph, taps), latencyCycles }),
      lanes: null,
      ownMultipliers: false,
      note: `Every weight has adders of its own: ${need}.`,
    };
  },
};

import type { Architecture, DesignRequest } from "./design";
import { fitsAtOnce } from "./fit-unrolled";
import {
  accumulatorWidthOf,
  chooseLanes,
  layersOf,
  mostCells,
  shellCells,
  usableCells,
} from "./schedule";
import { leastCells, unroll } from "./unrolled";

export interface DesignEstimate {
  readonly architecture: Architecture;
  readonly lut: number;
  readonly bramBlocks: number;
  readonly latencyCycles: number;
  readonly fits: boolean;
}

/**
 * What `designCore` would come to, quickly: without printing anything, and without looking for the smallest unrolled form,
 * which may save some percent more.
 */
export function estimateDesign(request: Omit<DesignRequest, "others">): DesignEstimate {
  const { graph, board, architecture, lanes } = request;
  const { part, family } = board;
  const least = leastCells(graph) + shellCells.lut;
  const mayUnroll = least <= Math.min(mostCells, part.lut * usableCells);
  if (architecture === "unrolled" || (architecture === "auto" && lanes === null && mayUnroll)) {
    const fits = fitsAtOnce(graph, { family, part });
    if (architecture === "unrolled" || fits) {
      const core = mayUnroll ? unroll(graph, { family, trials: 1 }) : null;
      const lut = core ? core.estimate.lut + shellCells.lut : least;
      if (architecture === "unrolled" || lut <= mostCells) {
        return {
          architecture: "unrolled",
          lut,
          bramBlocks: shellCells.bramBlocks,
          latencyCycles: core?.latencyCycles ?? 0,
          fits,
        };
      }
    }
  }
  const result = chooseLanes(
    layersOf(graph),
    accumulatorWidthOf(graph),
    { ...part, family },
    lanes,
  );
  if (result.ok) {
    const { estimate, schedule } = result.choice;
    return {
      architecture: "array",
      lut: estimate.lut,
      bramBlocks: estimate.bramBlocks,
      latencyCycles: schedule.latencyCycles,
      fits: true,
    };
  }
  const needed = (id: string) => result.lacking.find((each) => each.id === id)?.needed ?? 0;
  return {
    architecture: "array",
    lut: needed("lut"),
    bramBlocks: needed("bram"),
    latencyCycles: 0,
    fits: false,
  };
}

import { chooseLayout, refuseLanes } from "./convolution";
import type { Architecture, DesignRequest } from "./design";
import { fitsAtOnce } from "./fit-unrolled";
import type { IntegerGraph } from "./integer-graph";
import {
  accumulatorWidthOf,
  arrayPart,
  chooseLanes,
  type Lacking,
  layersOf,
  mostCells,
  type PartTarget,
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
  const result = chooseLanes(layersOf(graph), accumulatorWidthOf(graph), arrayPart(board), lanes);
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
  return tooLarge(result.lacking);
}

/**
 * What `designMaps` would come to, quickly: without printing anything.
 *
 * @throws {AppError} `OPTION_INVALID` for lanes without multipliers.
 */
export function estimateMapDesign(
  graph: IntegerGraph,
  board: PartTarget,
  lanes: number | null,
): DesignEstimate {
  refuseLanes(lanes, board.part);
  const chosen = chooseLayout(graph, arrayPart(board), lanes);
  if (!chosen.choice) return tooLarge(chosen.lacking);
  const { estimate, layout } = chosen.choice;
  return {
    architecture: "array",
    lut: estimate.lut,
    bramBlocks: estimate.bramBlocks,
    latencyCycles: layout.schedule.latencyCycles,
    fits: true,
  };
}

function tooLarge(lacking: readonly Lacking[]): DesignEstimate {
  const needed = (id: string) => lacking.find((each) => each.id === id)?.needed ?? 0;
  return {
    architecture: "array",
    lut: needed("lut"),
    bramBlocks: needed("bram"),
    latencyCycles: 0,
    fits: false,
  };
}

import type { IntegerGraph } from "../../integer/integer-graph";
import { type Lacking, lackingOf } from "../../target/lacking";
import type { PartResources, PartTarget } from "../../target/part";
import { shellCells, shellResources } from "../../target/shell";
import { usableCells } from "../../target/usable-cells";
import { leastCells, type UnrolledCore, unroll } from "./design-unrolled";

/** A core with what it needs, or what the part lacks: `about 6582 logic cells of 3960 usable`. */
type Fit =
  | { readonly core: UnrolledCore; readonly need: string }
  | { readonly core: null; readonly lack: string; readonly lacking: readonly Lacking[] };

/** A quick attempt is at most this much larger than a thorough one. */
const quickTolerance = 1.15;

interface FitOptions {
  /** A further limit of logic cells. */
  readonly mostCells?: number | undefined;
  /** Does not look for the smallest form, which may save some percent more. */
  readonly isQuick?: boolean;
}

/** Unrolls a graph if it is estimated to fit the usable share of a part, its cells and its flip-flops alike. */
export function fitUnrolled(
  graph: IntegerGraph,
  target: PartTarget,
  { mostCells = Number.POSITIVE_INFINITY, isQuick = false }: FitOptions,
): Fit {
  const { costs, part } = target;
  const usable = Math.min(mostCells, Math.floor(part.lut * usableCells));
  const least = leastCells(graph) + shellCells.lut;
  if (least > usable) {
    return {
      core: null,
      lack: `more than ${least} logic cells of ${usable} usable`,
      lacking: [lackingOf("lut", least, usable)],
    };
  }
  const ram = ramOf(graph, part);
  const atOnce = unroll(graph, { costs, ram, trials: 1 });
  if (isQuick) return judge(atOnce, part, usable, 1);
  const quick = judge(atOnce, part, usable, quickTolerance);
  return quick.core ? judge(unroll(graph, { costs, ram }), part, usable, 1) : quick;
}

/** What the shell leaves of a part's block RAM. */
function ramOf({ input }: IntegerGraph, part: PartResources) {
  const blocks = part.bramBlocks - shellResources(input.size, part).bramBlocks;
  return { blocks, blockBits: part.bramBlockBits };
}

function judge(core: UnrolledCore, part: PartResources, usable: number, tolerance: number): Fit {
  const lut = core.estimate.lut + shellCells.lut;
  const flipFlops = core.estimate.flipFlops + shellCells.flipFlops;
  const usableFlipFlops = Math.floor(part.ff * usableCells);
  if (lut > usable * tolerance) {
    return {
      core: null,
      lack: `about ${lut} logic cells of ${usable} usable`,
      lacking: [lackingOf("lut", lut, usable)],
    };
  }
  if (flipFlops > usableFlipFlops * tolerance) {
    return {
      core: null,
      lack: `about ${flipFlops} flip-flops of ${usableFlipFlops} usable`,
      lacking: [lackingOf("ff", flipFlops, usableFlipFlops)],
    };
  }
  return { core, need: `about ${lut} logic cells of ${usable} usable` };
}

import { lackingOf } from "../../target/lacking";
import { shellCells } from "../../target/shell";
import type { Fit, LayoutRequest } from "../architecture";
import { leastCells, type UnrolledCore, unroll } from "./design-unrolled";
import { fitFigures, ramFor, usableOf } from "./fit-figures";

/** A core with what it needs, as `about 6582 logic cells of 18216 usable`. */
export interface FittingCore {
  readonly core: UnrolledCore;
  readonly need: string;
}

/** A quick attempt is at most this much larger than a thorough one. */
const quickTolerance = 1.15;

/** Unrolls a graph if it is estimated to fit the usable share of a part, its cells and its flip-flops alike. */
export function fitUnrolled({
  graph,
  target: { costs, part },
  mostCells,
  isQuick = false,
}: LayoutRequest): Fit<FittingCore> {
  const usable = usableOf(part, mostCells);
  const least = leastCells(graph) + shellCells.lut;
  if (least > usable) {
    return {
      fits: false,
      lack: `needs more than ${least} logic cells of ${usable} usable when unrolled`,
      lacking: [lackingOf("lut", least, usable)],
    };
  }
  const inputs = graph.input.size;
  const ram = ramFor(inputs, part);
  const judge = (core: UnrolledCore, tolerance: number): Fit<FittingCore> => {
    const fit = fitFigures({ figures: core.figures, inputs }, part, { usable, tolerance });
    if (!fit.fits) return fit;
    const need = `about ${fit.resources.lut} logic cells of ${usable} usable`;
    return { ...fit, layout: { core, need } };
  };
  const atOnce = unroll(graph, { costs, ram, trials: 1 });
  const quick = judge(atOnce, isQuick ? 1 : quickTolerance);
  return isQuick || !quick.fits ? quick : judge(unroll(graph, { costs, ram }), 1);
}

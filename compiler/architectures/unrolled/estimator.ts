import { fail } from "@/lib/common/errors";
import type { EstimateRequest, Estimator } from "../estimator";
import { figuresFor } from "./figures-for";
import { fitFigures, usableOf } from "./fit-figures";
import { type UnrolledOutline, unrolledOutlineSchema } from "./unrolled-outline";

/** @throws {AppError} `OPTION_INVALID` for lanes, which an unrolled design does not have. */
export function refuseUnrolledLanes(lanes: number | null): void {
  if (lanes === null) return;
  throw fail("OPTION_INVALID", `An unrolled design has no lanes; ${lanes} are asked for.`, {
    field: "options.lanes",
    hint: "Leave the lanes out, or choose the array as architecture.",
  });
}

/** The planner looks longer for a small form than an outline does, and finds one that is smaller by so much. */
const searchGain = 1.02;

export const unrolledEstimator: Estimator<UnrolledOutline> = {
  id: "unrolled",
  schema: unrolledOutlineSchema,
  errors: { cells: 0.15, cycles: 0.07 },
  isAskedBy: ({ architecture, lanes }) =>
    architecture === "unrolled" || (architecture === "auto" && lanes === null),
  check: (_, { wish }) => refuseUnrolledLanes(wish.lanes),
  estimate(outline, { target: { part, costs }, mostCells }: EstimateRequest) {
    const figures = figuresFor(outline, costs);
    return fitFigures({ figures, inputs: outline.inputs }, part, {
      usable: usableOf(part, mostCells),
      tolerance: searchGain,
    });
  },
  atPrecision: (outline, precision) => ({ ...outline, at: precision }),
};

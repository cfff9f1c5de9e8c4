import { lackInWords, lackingFor } from "../../target/lacking";
import { arrayPart } from "../../target/part";
import type { Estimate, Lack } from "../architecture";
import type { EstimateRequest, Estimator } from "../estimator";
import { estimateTrees } from "./estimate";
import { refuseTreeLanes } from "./takes";
import { type TreeOutline, treeOutlineSchema } from "./tree-outline";

/** What an ensemble comes to on a part. */
export function fitTrees(
  outline: TreeOutline,
  { target }: Pick<EstimateRequest, "target">,
): Estimate | Lack {
  const resources = estimateTrees(outline, arrayPart(target));
  const lacking = lackingFor(resources, target.part);
  if (lacking.length > 0) return { fits: false, lack: lackInWords(lacking), lacking };
  const { latencyCycles } = outline;
  return { fits: true, resources, latencyCycles, lanes: null, ownMultipliers: false };
}

export const treesEstimator: Estimator<TreeOutline> = {
  id: "trees",
  schema: treeOutlineSchema,
  errors: { cells: 0.15, cycles: 0 },
  isAskedBy: () => true,
  check: (_, { wish }) => refuseTreeLanes(wish.lanes),
  estimate: fitTrees,
};

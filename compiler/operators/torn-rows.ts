import type { GraphNode } from "../graph/graph";
import { refuse } from "../graph/refuse";

/** The refusal of a node that puts values of one row into another. */
export const tornRows = (node: GraphNode, what: string) =>
  refuse(node, `${what} does not keep rows whole`);

import type { IntegerGraph } from "./integer-graph";
import { isClipped } from "./requantize";
import type { IntegerRun } from "./run-integer-graph";

/** How many elements of a tensor saturated, of all that were looked at. */
export interface ClippedTensor {
  /** Of the node that clamps. */
  readonly node: string;
  readonly clipped: number;
  readonly values: number;
}

/** What of one run met the edge of its grid, for every node that clamps. */
export function countClipped(graph: IntegerGraph, { nodes }: IntegerRun): ClippedTensor[] {
  return graph.nodes.flatMap((node) => {
    if (node.op !== "requantize") return [];
    const before = nodes.get(graph.nodes[node.from]?.name ?? "") ?? [];
    const clipped = before.filter((value, element) => isClipped(node, value, element)).length;
    return [{ node: node.name, clipped, values: before.length }];
  });
}

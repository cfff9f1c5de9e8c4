import { boundsOf } from "@/lib/common/fixed-point";
import type { IntegerGraph } from "./integer-graph";
import type { IntegerRun } from "./run-integer-graph";

/** How many elements of a tensor saturated, of all that were looked at. */
export interface ClippedTensor {
  /** Of the node that clamps. */
  readonly node: string;
  readonly clipped: number;
  readonly values: number;
}

/**
 * What of one run met the edge of its grid, for every node that clamps. The zero of a ReLU is no clipping: the float
 * model has it as well.
 */
export function countClipped(graph: IntegerGraph, { nodes }: IntegerRun): ClippedTensor[] {
  return graph.nodes.flatMap((node, index) => {
    if (node.op !== "requantize") return [];
    const before = nodes.get(graph.nodes[index - 1]?.name ?? "") ?? [];
    const { min, max } = boundsOf(node);
    const lowest = node.relu ? Number.NEGATIVE_INFINITY : min;
    const clipped = before.filter((accumulator, element) => {
      const shift = node.shift[element] ?? 0;
      const half = shift > 0 ? 2 ** (shift - 1) : 0;
      const unclamped = Math.floor((accumulator + half) / 2 ** shift);
      return unclamped > max || unclamped < lowest;
    }).length;
    return [{ node: node.name, clipped, values: before.length }];
  });
}

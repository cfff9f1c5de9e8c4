import type { DenseNode, IntegerGraph, RequantizeNode } from "../integer-graph";

/** A dense node with the requantisation after it: what the array runs as one layer. */
export interface Stage {
  readonly dense: DenseNode;
  readonly requantize: RequantizeNode;
}

/** Pairs the nodes of an integer graph. @throws {RangeError} when they do not alternate. */
export function stagesOf(graph: IntegerGraph): Stage[] {
  const stages: Stage[] = [];
  for (let index = 0; index < graph.nodes.length; index += 2) {
    const dense = graph.nodes[index];
    const requantize = graph.nodes[index + 1];
    if (dense?.op !== "dense" || requantize?.op !== "requantize") {
      throw new RangeError("An integer graph alternates dense and requantize nodes.");
    }
    stages.push({ dense, requantize });
  }
  return stages;
}

/** Bits of hidden values, the same in every layer of the array; 8 for a net without any. */
export function hiddenWidthOf(graph: IntegerGraph): number {
  const widths = new Set(
    stagesOf(graph)
      .slice(0, -1)
      .map(({ requantize }) => requantize.width),
  );
  if (widths.size > 1) throw new RangeError("The array has one width for all hidden values.");
  return [...widths][0] ?? 8;
}

/** Bits of the accumulators of all lanes: what the widest layer needs, and no less than one product. */
export function accumulatorWidthOf(graph: IntegerGraph): number {
  return Math.max(17, ...stagesOf(graph).map(({ dense }) => dense.accumulatorWidth));
}

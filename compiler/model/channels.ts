import type { GraphNode } from "../graph/graph";
import { invalid, type Quantizer } from "./quantizer";

/** The channel of a flat index. A scale for each channel must find as many of them. */
export function channels(node: GraphNode, quantizer: Quantizer, shape: readonly number[]) {
  const count = Math.max(quantizer.scales.length, quantizer.min.length);
  if (count === 1) return () => 0;
  const axis = quantizer.axis < 0 ? quantizer.axis + shape.length : quantizer.axis;
  if (shape[axis] !== count) {
    throw invalid(node, `has ${count} scales for weights of shape [${shape.join(", ")}]`);
  }
  const inner = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  return (index: number) => Math.floor(index / inner) % count;
}

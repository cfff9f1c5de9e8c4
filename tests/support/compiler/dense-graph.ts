import type { Graph } from "@/compiler";
import { mapGraph } from "./map-graph";

/** Dense layers with ReLU between them, their weights random and the same each time. @param sizes Inputs, then the outputs of every layer. */
export function denseGraph(sizes: readonly [number, ...number[]]): Graph {
  const net = mapGraph([-1, sizes[0]], 1);
  let value = net.input;
  for (const [index, outputs] of sizes.slice(1).entries()) {
    const sums = net.add("Gemm", [value], {
      attributes: { transB: 1 },
      weights: [[outputs, sizes[index] ?? 1], [outputs]],
    });
    value = index === sizes.length - 2 ? sums : net.relu(sums);
  }
  return net.finish(value, [-1, sizes.at(-1) ?? 1]);
}

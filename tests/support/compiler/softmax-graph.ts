import type { Graph, GraphNode } from "@/compiler";
import { denseGraph } from "./dense-graph";

/** Dense layers with a softmax behind the last. @param sizes Inputs, then the outputs of every layer. */
export function softmaxGraph(sizes: readonly [number, ...number[]]): Graph {
  return withEnd(denseGraph(sizes), "Softmax", "probabilities");
}

/** A graph whose output goes through one more operator, over all of its values. */
export function withEnd(graph: Graph, operator: string, name: string): Graph {
  const [output] = graph.outputs;
  if (!output) throw new RangeError("A graph has an output.");
  const node: GraphNode = {
    ...{ name, operator, domain: "", inputs: [output.name], outputs: [name] },
    attributes: operator === "Sigmoid" ? {} : { axis: -1 },
  };
  return {
    ...graph,
    nodes: [...graph.nodes, node],
    shapes: new Map([...graph.shapes, [name, output.shape]]),
    outputs: [{ ...output, name }],
  };
}

/** A graph whose weights and biases are all multiplied by a factor. */
export const scaledGraph = (graph: Graph, factor: number): Graph => ({
  ...graph,
  constants: new Map(
    [...graph.constants].map(([name, each]) => [
      name,
      { ...each, values: each.values.map((value) => value * factor) },
    ]),
  ),
});

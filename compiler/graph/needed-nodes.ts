import type { Graph, GraphNode } from "./graph";

/** The nodes that the outputs depend on, in their order; others have no effect. */
export function neededNodes(graph: Graph): GraphNode[] {
  const needed = new Set(graph.outputs.map(({ name }) => name));
  const nodes: GraphNode[] = [];
  for (const node of [...graph.nodes].reverse()) {
    if (!node.outputs.some((name) => needed.has(name))) continue;
    for (const name of node.inputs) needed.add(name);
    nodes.push(node);
  }
  return nodes.reverse();
}

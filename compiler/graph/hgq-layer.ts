import type { Graph, GraphNode } from "./graph";

/** The domain of nodes that stand for layers of HGQ2: they have shapes and weights, and only HGQ2's own tools know their bits. */
export const hgqDomain = "hgq";

/** The first layer of HGQ2 in a graph: such a graph tells shapes and sizes, and nobody here can run it. Null: there is none. */
export const findHgqLayer = ({ nodes }: Graph): GraphNode | null =>
  nodes.find(({ domain }) => domain === hgqDomain) ?? null;

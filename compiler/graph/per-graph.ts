import type { Graph } from "./graph";

/** A pure function of a graph that is worked out once, however often it is asked for. */
export function perGraph<Result>(work: (graph: Graph) => Result): (graph: Graph) => Result {
  const known = new WeakMap<Graph, { readonly result: Result }>();
  return (graph) => {
    const before = known.get(graph);
    if (before) return before.result;
    const result = work(graph);
    known.set(graph, { result });
    return result;
  };
}

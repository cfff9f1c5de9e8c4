import type { IntegerGraph } from "../../integer/integer-graph";

/** Why the array of multipliers cannot run a graph, as what follows "the array"; null where it can. */
export function arrayRefusal({ nodes, output }: IntegerGraph): string | null {
  const lookedUp = new Set(nodes.flatMap((node) => (node.op === "table" ? [node.from] : [])));
  const hidden = nodes
    .flatMap((node, place) =>
      node.op === "table" || (node.op === "requantize" && !lookedUp.has(place)) ? [node] : [],
    )
    .slice(0, -1);
  const isTheirs =
    nodes.some((node) => node.op === "requantize" && (node.rounding || node.bounds)) ||
    nodes.some((node) => node.op === "requantize" && node.shift.some((shift) => shift > 15)) ||
    new Set(hidden.map(({ width }) => width)).size > 1 ||
    hidden.some(({ width }) => width > 8) ||
    nodes.some((node) => node.op === "dense" && node.weightWidth > 8) ||
    output.width !== 16;
  return isTheirs ? "rounds and saturates otherwise than this quantised model says" : null;
}

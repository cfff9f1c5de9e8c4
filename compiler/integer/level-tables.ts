import { boundsOf } from "@/lib/common/fixed-point";
import type { IntegerGraph, TableNode } from "./integer-graph";

/**
 * Gives all tables of a graph as many entries as its largest one has, as the array's one memory of tables wants it. What a
 * narrower requantisation clamped is now looked up, and found to be what stood at the edge: the answers stay the same.
 */
export function levelTables(graph: IntegerGraph): IntegerGraph {
  const tables = graph.nodes.filter((node) => node.op === "table");
  const width = Math.max(0, ...tables.map(({ inputWidth }) => inputWidth));
  if (tables.every(({ inputWidth }) => inputWidth === width)) return graph;
  const lookedUp = new Set(tables.map(({ from }) => from));
  return {
    ...graph,
    nodes: graph.nodes.map((node, place) => {
      if (node.op === "table") return widened(node, width);
      return node.op === "requantize" && lookedUp.has(place) ? { ...node, width } : node;
    }),
  };
}

function widened(table: TableNode, width: number): TableNode {
  const { inputWidth, inputSigned: signed, values } = table;
  const { min, max } = boundsOf({ width: inputWidth, signed });
  const entryOf = (pattern: number) => {
    const value = signed && pattern >= 2 ** (width - 1) ? pattern - 2 ** width : pattern;
    const clamped = Math.min(max, Math.max(min, value));
    return values[clamped < 0 ? clamped + 2 ** inputWidth : clamped] ?? 0;
  };
  return {
    ...table,
    inputWidth: width,
    values: Array.from({ length: 2 ** width }, (_, pattern) => entryOf(pattern)),
  };
}

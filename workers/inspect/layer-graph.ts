import type { Graph } from "@/engines";
import { type LayerGraph, layerGraphVersion, mostGraphLayers } from "@/lib/common/contract";

type Node = Graph["nodes"][number];

/** Widths of the numbers that constants are made of. */
const bitsOf: Readonly<Record<string, number>> = {
  BOOL: 1,
  INT8: 8,
  UINT8: 8,
  INT16: 16,
  UINT16: 16,
  FP16: 16,
  BF16: 16,
  INT32: 32,
  UINT32: 32,
  FP32: 32,
  INT64: 64,
  FP64: 64,
};

/** Which layer reads which, for as many layers as a picture can hold; in the order of the graph's nodes. */
export function layerGraphOf(graph: Graph): LayerGraph {
  const told = graph.nodes.slice(0, mostGraphLayers);
  const places = new Map<string, number>();
  for (const [index, { name }] of graph.inputs.entries()) places.set(name, -1 - index);
  const layers = told.map((node, index) => {
    const from = [...new Set(node.inputs.flatMap((name) => places.get(name) ?? []))];
    for (const name of node.outputs) places.set(name, index);
    return { from, ...numbersOf(node, graph) };
  });
  return {
    version: layerGraphVersion,
    layers,
    outputs: graph.outputs.map(({ name }) => places.get(name) ?? null),
    omitted: graph.nodes.length - told.length,
  };
}

/** In what a layer's numbers are stored; of a quantising one, to how many bits it brings what passes. */
function numbersOf(node: Node, graph: Graph): { datatype?: string; bits?: number } {
  const constants = node.inputs.map((name) => graph.constants.get(name));
  if (node.operator === "Quant" || node.operator === "BipolarQuant") {
    const bits = node.operator === "Quant" ? constants[3]?.values[0] : 1;
    return bits && Number.isInteger(bits) && bits > 0 ? { bits } : {};
  }
  if (node.operator === "QuantizeLinear") {
    const datatype = constants[2]?.datatype ?? "UINT8";
    return { datatype, ...widthOf(datatype) };
  }
  const largest = constants
    .filter((constant) => constant !== undefined)
    .toSorted((a, b) => b.values.length - a.values.length)[0];
  return largest ? { datatype: largest.datatype, ...widthOf(largest.datatype) } : {};
}

function widthOf(datatype: string): { bits?: number } {
  const bits = bitsOf[datatype];
  return bits === undefined ? {} : { bits };
}

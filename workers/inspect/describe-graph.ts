import type { ParsedModel } from "@/engines";
import type { Inspection } from "@/lib/common/contract";
import { layerGraphOf } from "./layer-graph";
import { trained, weightRangesOf } from "./weight-ranges";

type Graph = NonNullable<ParsedModel["graph"]>;
type Node = Graph["nodes"][number];

/** Lists of a tree ensemble with one number per tree node. */
const treeLists = ["nodes_nodeids", "nodes_treeids"];

/** Inputs, outputs, layers and counts of a model, as an inspection tells them. */
export function describeGraph(
  graph: Graph,
): Pick<
  Inspection,
  "inputs" | "outputs" | "layers" | "graph" | "weights" | "parameters" | "opset"
> {
  const seen = new Set<string>();
  const layers = graph.nodes.map((node) => ({
    name: node.name,
    operator: node.domain === "" ? node.operator : `${node.domain}.${node.operator}`,
    shape: [...(graph.shapes.get(node.outputs[0] ?? "") ?? [])],
    parameters: constantsOf(node, graph, seen) + treeNodesOf(node),
  }));
  return {
    inputs: graph.inputs.map(({ shape, ...spec }) => ({ ...spec, shape: [...shape] })),
    outputs: graph.outputs.map(({ shape, ...spec }) => ({ ...spec, shape: [...shape] })),
    layers,
    graph: layerGraphOf(graph),
    weights: weightRangesOf(graph),
    parameters: layers.reduce((sum, layer) => sum + layer.parameters, 0),
    ...(graph.opset > 0 ? { opset: graph.opset } : {}),
  };
}

/** Trained numbers that a node reads; what several nodes read counts at the first. */
function constantsOf(node: Node, graph: Graph, seen: Set<string>): number {
  let count = 0;
  for (const name of node.inputs) {
    const constant = graph.constants.get(name);
    if (!constant || seen.has(name) || !trained.has(constant.datatype)) continue;
    seen.add(name);
    count += constant.shape.reduce((product, dimension) => product * dimension, 1);
  }
  return count;
}

function treeNodesOf({ attributes }: Node): number {
  const list = treeLists.map((name) => attributes[name]).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.length : 0;
}

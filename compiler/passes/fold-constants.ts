import { fail, isAppError } from "@/lib/common/errors";
import type { Graph, GraphConstant, GraphNode } from "../graph/graph";
import { operatorOf } from "../operators";
import { runNode } from "../operators/run-graph";

const floats: ReadonlySet<string> = new Set(["FP64", "FP32", "FP16", "BF16"]);
/** Products and elements that one constant may take to compute: hostile files ask for more. */
const mostProducts = 2 ** 26;

/**
 * Computes what depends on constants alone, such as the transpose of a weight, so that readers find constants where the
 * model has them. Nodes that cannot be computed stay.
 */
export function foldConstants(graph: Graph): Graph {
  const constants = new Map(graph.constants);
  const nodes = graph.nodes.filter((node) => {
    const folded = folding(node, constants, graph.opset);
    if (!folded) return true;
    constants.set(folded.name, folded);
    return false;
  });
  return nodes.length === graph.nodes.length ? graph : { ...graph, nodes, constants };
}

function folding(
  node: GraphNode,
  constants: ReadonlyMap<string, GraphConstant>,
  opset: number,
): GraphConstant | null {
  const [name, ...more] = node.outputs;
  const read = node.inputs.filter((each) => each !== "").map((each) => constants.get(each));
  const [first] = read;
  if (!name || more.length > 0 || !isFoldable(node) || !first) return null;
  if (!floats.has(first.datatype) || read.some((each) => !each)) return null;
  const size = (each: GraphConstant | undefined) => each?.values.length ?? 0;
  if (read.reduce((product, each) => product * Math.max(1, size(each)), 1) > mostProducts)
    return null;
  try {
    const [result] = runNode(node, opset, (each) => constants.get(each) ?? noConstant());
    if (!result) return null;
    const { shape, values } = result;
    return { name, datatype: first.datatype, shape, values: Float64Array.from(values) };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Operators that make real numbers of real numbers; what works on shapes and grids is read as it stands. */
const isFoldable = (node: GraphNode) => operatorOf(node).folds === true;

/** A node that leaves out what it must have is refused by whoever reads it. */
function noConstant(): never {
  throw fail("MODEL_INVALID", "A node that is folded reads constants.");
}

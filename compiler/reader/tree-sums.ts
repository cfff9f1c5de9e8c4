import type { Graph, GraphNode } from "../graph/graph";
import { refuse, refuseModel } from "../graph/refuse";
import type { Tree, TreeEnsemble } from "../model/trees/ensemble";
import { isTreeEnsemble, readEnsemble } from "../model/trees/read-ensemble";
import type { TreeFeatures } from "./tree-features";

/** All trees of a graph as one ensemble. */
export interface TreeSum {
  readonly ensemble: TreeEnsemble;
  /** What the node at its end makes. */
  readonly outputs: readonly string[];
  /** Nodes that are part of it. */
  readonly nodes: ReadonlySet<GraphNode>;
}

/**
 * The one ensemble of a graph, or several whose scores are added, over the features of a row.
 *
 * @throws {AppError} `OPERATOR_UNSUPPORTED` naming operator and node, `MODEL_UNSUPPORTED`, `MODEL_INVALID`.
 */
export function treeSum(graph: Graph, features: TreeFeatures): TreeSum {
  const nodes = new Set<GraphNode>();
  /** By the name of their scores, the last one last: ensembles whose scores may be added. */
  const open = new Map<string, TreeEnsemble>();
  let whole: Omit<TreeSum, "nodes"> | null = null;
  for (const node of graph.nodes) {
    if (isTreeEnsemble(node)) {
      const ensemble = ofFeatures(node, readEnsemble(node), features);
      if (whole && open.size === 0)
        throw refuse(node, "is a second ensemble; FPGA boards take one");
      if (ensemble.labels === null && ensemble.transform === "none") {
        open.set(node.outputs[0] ?? "", ensemble);
      } else if (whole) {
        throw refuse(node, "is a second ensemble, whose scores are not added to the others");
      }
      whole = { ensemble, outputs: node.outputs };
    } else {
      const sum = sumOf(node, open);
      if (!sum) continue;
      for (const name of node.inputs) open.delete(name);
      open.set(node.outputs[0] ?? "", sum);
      whole = { ensemble: sum, outputs: node.outputs };
    }
    nodes.add(node);
  }
  if (!whole) throw new RangeError("The graph has no trees.");
  if (open.size > 1) {
    const names = [...open.values()].map(({ name }) => `"${name}"`).join(", ");
    throw refuseModel(
      `The tree ensembles ${names} answer by themselves; FPGA boards take one, or several whose scores are added.`,
    );
  }
  return { ...whole, nodes };
}

/** Trees over the columns of a table as trees over the row of all inputs. */
function ofFeatures(
  node: GraphNode,
  ensemble: TreeEnsemble,
  { tables }: TreeFeatures,
): TreeEnsemble {
  const places = tables.get(node.inputs[0] ?? "");
  if (!places) {
    throw refuse(node, `reads ${node.inputs[0]}, not the model's inputs, as FPGA boards need`);
  }
  const placed = (tree: Tree): Tree =>
    tree.map((each) => {
      if (each.kind === "leaf") return each;
      const feature = places[each.feature];
      if (feature !== undefined) return { ...each, feature };
      throw refuseModel(
        `The trees look at feature ${each.feature}; the model has ${places.length}.`,
      );
    });
  return { ...ensemble, trees: ensemble.trees.map(placed) };
}

/** The sum of the scores of two ensembles, as one; null for any other node. */
function sumOf(node: GraphNode, open: ReadonlyMap<string, TreeEnsemble>): TreeEnsemble | null {
  const [left, right] = node.inputs.map((name) => open.get(name));
  if (node.operator !== "Add" || node.domain !== "" || !left || !right) return null;
  if (left.base.length !== right.base.length) {
    throw refuse(node, `adds ${left.base.length} scores and ${right.base.length}`);
  }
  return {
    ...left,
    name: `${left.name}+${right.name}`,
    trees: [...left.trees, ...right.trees],
    base: left.base.map((each, score) => each + (right.base[score] ?? 0)),
  };
}

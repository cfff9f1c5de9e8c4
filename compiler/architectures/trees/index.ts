import type { IntegerGraph } from "../../integer/integer-graph";
import type { PartTarget } from "../../target/part";
import type { Architecture } from "../architecture";
import { layersByTaps, timelineOf } from "../timeline";
import { emitTreeCore } from "./emit";
import { fitTrees, treesEstimator } from "./estimator";
import { layOut, type TreeLayout } from "./layout";
import { outlineTrees } from "./outline";
import { treeSections } from "./sections";
import { refuseTreeLanes } from "./takes";
import { treeTaps } from "./taps";
import type { TreeOutline } from "./tree-outline";

export interface TreesLayout {
  readonly graph: IntegerGraph;
  readonly layout: TreeLayout;
}

const ops: ReadonlySet<string> = new Set(["trees", "sum"]);

/** All trees of an ensemble side by side. */
export const trees: Architecture<TreesLayout, TreeOutline> = {
  id: treesEstimator.id,
  takes: ({ nodes }) => nodes.every(({ op }) => ops.has(op)),
  isAskedBy: treesEstimator.isAskedBy,
  check: ({ wish: { lanes } }) => refuseTreeLanes(lanes),
  outline: ({ graph }) => outlineTrees(layOut(graph), graph.input.size),
  layOut({ graph, target }) {
    const layout = layOut(graph);
    const fit = fitTrees(outlineTrees(layout, graph.input.size), { target });
    return fit.fits ? { ...fit, layout: { graph, layout } } : fit;
  },
  smaller({ graph, target }) {
    const nearest = treesThatFit(graph, target);
    const all = treesOf(graph);
    const words = nearest > 0 ? `the first ${nearest} of ${all} trees would fit` : "";
    return { words, details: { trees: all, nearest } };
  },
  emit({ graph, layout }) {
    const taps = treeTaps(layout);
    return {
      graph,
      verilog: emitTreeCore(graph, layout),
      taps,
      sections: treeSections,
      timeline: timelineOf({
        graph,
        layers: layersByTaps(graph, taps),
        latencyCycles: layout.latencyCycles,
      }),
      note: "All trees work side by side.",
    };
  },
};

const fits = (graph: IntegerGraph, target: PartTarget): boolean =>
  fitTrees(outlineTrees(layOut(graph), graph.input.size), { target }).fits;

const treesOf = ({ nodes: [trees] }: IntegerGraph): number =>
  trees?.op === "trees" ? trees.trees.length : 0;

/** The largest number of trees, from the first on, that fits. */
function treesThatFit(graph: IntegerGraph, target: PartTarget): number {
  let [low, high] = [0, treesOf(graph) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fewer = firstTrees(graph, middle);
    if (fits(fewer, target)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function firstTrees(graph: IntegerGraph, count: number): IntegerGraph {
  const [trees, sum] = graph.nodes;
  if (trees?.op !== "trees" || sum?.op !== "sum") throw new RangeError("The graph has no trees.");
  const kept = trees.trees.slice(0, count);
  const elements = kept.reduce((total, tree) => {
    const leaf = tree.find((node) => "values" in node);
    return total + (leaf && "values" in leaf ? leaf.values.length : 0);
  }, 0);
  const terms = sum.terms.map((places) => places.filter((place) => place < elements));
  return {
    ...graph,
    nodes: [
      { ...trees, trees: kept },
      { ...sum, terms },
    ],
  };
}

import type { TreeOutline } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { IntegerGraph, Tap } from "../integer-graph";
import { type SectionRule, treeSections } from "../report";
import {
  arrayPart,
  type Lacking,
  lackInWords,
  lackingFor,
  type PartTarget,
  type Target,
} from "../schedule";
import { emitTreeCore } from "./emit-core";
import { estimateTrees, type TreeEstimate } from "./estimate-cells";
import { layOut } from "./layout";
import { outlineTrees } from "./outline-trees";
import { treeTaps } from "./taps";

/** A tree ensemble as hardware for one part. */
export interface TreeDesign {
  readonly verilog: string;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
  /** Which cells are what. */
  readonly sections: readonly SectionRule[];
  /** Of core and shell, before any tool ran. */
  readonly estimate: TreeEstimate;
}

export interface TreeDesignRequest {
  readonly graph: IntegerGraph;
  readonly board: Target;
  /** Other boards that could be built for. */
  readonly others: readonly Target[];
}

/**
 * Lays all trees of a graph out side by side and prints their Verilog.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit.
 */
export function designTrees({ graph, board, others }: TreeDesignRequest): TreeDesign {
  const layout = layOut(graph);
  const outline = outlineOfTrees(graph, layout);
  const lacking = lackingOn(outline, board);
  if (lacking.length > 0) {
    const trees = treesThatFit(graph, board);
    const larger = others.find((other) => lackingOn(outline, other).length === 0)?.name ?? null;
    const parts = [
      trees > 0 ? `The first ${trees} of ${treesOf(graph)} trees would fit` : "",
      larger ? `${larger} is large enough` : "",
    ].filter((each) => each !== "");
    const hint = parts.join("; ") || "Use a CPU board, with the engine of the model's own make";
    throw fail("MODEL_TOO_LARGE", `The model ${lackInWords(lacking)} on ${board.name}.`, {
      hint: `${hint}.`,
      details: { trees: treesOf(graph), nearest: trees, board: larger, lacking },
    });
  }
  return {
    verilog: emitTreeCore(graph, layout),
    taps: treeTaps(layout),
    latencyCycles: layout.latencyCycles,
    sections: treeSections,
    estimate: estimateTrees(outline, arrayPart(board)),
  };
}

/** What the core of a graph of trees is made of. */
export const outlineOfTrees = (graph: IntegerGraph, layout = layOut(graph)): TreeOutline =>
  outlineTrees(layout, graph.input.size);

const lackingOn = (outline: TreeOutline, target: PartTarget): readonly Lacking[] =>
  lackingFor(estimateTrees(outline, arrayPart(target)), target.part);

const treesOf = ({ nodes: [trees] }: IntegerGraph): number =>
  trees?.op === "trees" ? trees.trees.length : 0;

/** The largest number of trees, from the first on, that fits. */
function treesThatFit(graph: IntegerGraph, target: PartTarget): number {
  let [low, high] = [0, treesOf(graph) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fewer = firstTrees(graph, middle);
    if (lackingOn(outlineOfTrees(fewer), target).length === 0) low = middle;
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

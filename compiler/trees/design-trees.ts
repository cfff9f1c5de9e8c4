import { fail } from "@/lib/common/errors";
import type { IntegerGraph, Tap } from "../integer-graph";
import { type SectionRule, treeSections } from "../report";
import { type PartResources, shellResources, usableCells } from "../schedule";
import { emitTreeCore } from "./emit-core";
import { estimateTreeCells } from "./estimate-cells";
import { layOut, type TreeLayout } from "./layout";
import { treeTaps } from "./taps";

/** A tree ensemble as hardware for one part. */
export interface TreeDesign {
  readonly verilog: string;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
  /** Which cells are what. */
  readonly sections: readonly SectionRule[];
  /** Of core and shell, before any tool ran. */
  readonly estimate: { readonly lut: number; readonly bramBlocks: number };
}

export interface TreeDesignRequest {
  readonly graph: IntegerGraph;
  readonly part: PartResources;
  /** How people call the board, for messages. */
  readonly boardName: string;
  /** Other boards that could be built for, with what they offer. */
  readonly others: readonly { readonly name: string; readonly part: PartResources }[];
}

/**
 * Lays all trees of a graph out side by side and prints their Verilog.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit.
 */
export function designTrees({ graph, part, boardName, others }: TreeDesignRequest): TreeDesign {
  const layout = layOut(graph);
  const need = needOf(graph, layout);
  const lack = lackOf(need, part);
  if (lack !== null) {
    const trees = treesThatFit(graph, part);
    const larger = others.find((other) => lackOf(need, other.part) === null)?.name ?? null;
    const parts = [
      trees > 0 ? `The first ${trees} of ${treesOf(graph)} trees would fit` : "",
      larger ? `${larger} is large enough` : "",
    ].filter((each) => each !== "");
    const hint = parts.join("; ") || "Use a CPU board, with the engine of the model's own make";
    throw fail("MODEL_TOO_LARGE", `The model ${lack} on ${boardName}.`, {
      hint: `${hint}.`,
      details: { trees: treesOf(graph), nearest: trees, board: larger },
    });
  }
  return {
    verilog: emitTreeCore(graph, layout),
    taps: treeTaps(layout),
    latencyCycles: layout.latencyCycles,
    sections: treeSections,
    estimate: estimateOf(need, part),
  };
}

/** What a core needs of any part. */
interface Need {
  readonly cells: number;
  readonly inputBytes: number;
}

const needOf = ({ input }: IntegerGraph, layout: TreeLayout): Need => ({
  cells: estimateTreeCells(layout, input.size),
  inputBytes: input.size,
});

function estimateOf({ cells, inputBytes }: Need, part: PartResources): TreeDesign["estimate"] {
  const shell = shellResources(inputBytes, part);
  return { lut: shell.lut + cells, bramBlocks: shell.bramBlocks };
}

/** What a part has too little of, or null. */
function lackOf(need: Need, part: PartResources): string | null {
  const { lut, bramBlocks } = estimateOf(need, part);
  const usable = Math.floor(part.lut * usableCells);
  const lacks = [
    bramBlocks > part.bramBlocks ? `needs ${bramBlocks} block RAMs of ${part.bramBlocks}` : "",
    lut > usable ? `needs about ${lut} logic cells of ${usable} usable` : "",
  ].filter((each) => each !== "");
  return lacks.length > 0 ? lacks.join(" and ") : null;
}

const treesOf = ({ nodes: [trees] }: IntegerGraph): number =>
  trees?.op === "trees" ? trees.trees.length : 0;

/** The largest number of trees, from the first on, that fits. */
function treesThatFit(graph: IntegerGraph, part: PartResources): number {
  let [low, high] = [0, treesOf(graph) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fewer = firstTrees(graph, middle);
    if (lackOf(needOf(fewer, layOut(fewer)), part) === null) low = middle;
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

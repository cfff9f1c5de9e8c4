import type { IntegerBranch, IntegerGraph, SumNode, TreesNode } from "../../integer/integer-graph";
import { type AdderTree, buildAdders, delayedTo, type Operand } from "./adders";
import { type Chunk, chunksOf } from "./chunks";

/** A comparison that some branch needs: each is made once, however many branches share it. */
export interface Comparison {
  readonly name: string;
  readonly feature: number;
  readonly limit: number;
  readonly missingYes: boolean;
}

/** Everything of a tree core that its text, its taps and its cycles follow from. */
export interface TreeLayout {
  readonly trees: TreesNode;
  readonly sum: SumNode;
  readonly comparisons: readonly Comparison[];
  readonly comparisonOf: (branch: IntegerBranch) => Comparison;
  /** Of each tree. */
  readonly chunks: readonly (readonly Chunk[])[];
  /** Whether some tree is more than one chunk: then values come a cycle later. */
  readonly isDeep: boolean;
  /** One for each value of each tree. */
  readonly valuesOf: readonly (readonly Operand[])[];
  /** The same in the order of the integer graph's elements. */
  readonly values: readonly Operand[];
  /** After the last input byte, when they are there. */
  readonly valueCycles: number;
  readonly sums: readonly AdderTree[];
  /** From the cycle in which the last input byte was accepted to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
}

/** Cycles after the last input byte: its digits are compared · comparisons · the leaf's number · its values. */
const pipeline = { values: 4, deepValues: 5 } as const;

/** Lays out the core of an integer graph of trees. @throws {RangeError} for any other graph. */
export function layOut(graph: IntegerGraph): TreeLayout {
  const [trees, sum] = graph.nodes;
  if (trees?.op !== "trees" || sum?.op !== "sum") throw new RangeError("The graph has no trees.");
  const found = new Map<string, Comparison>();
  const keyOf = ({ feature, limit, missingYes }: IntegerBranch) =>
    `below_${feature}_${limit}${missingYes ? "_m" : ""}`;
  for (const node of trees.trees.flat()) {
    if (!("limit" in node)) continue;
    const name = keyOf(node);
    const { feature, limit, missingYes } = node;
    found.set(name, { name, feature, limit, missingYes });
  }
  const comparisons = [...found.values()].sort(
    (a, b) =>
      a.feature - b.feature || a.limit - b.limit || Number(a.missingYes) - Number(b.missingYes),
  );
  const chunks = trees.trees.map(chunksOf);
  const isDeep = chunks.some(({ length }) => length > 1);
  const valuesOf = trees.trees.map((tree, index) => {
    const leaves = tree.flatMap((node) => ("values" in node ? [node.values] : []));
    const columns = leaves[0]?.length ?? 0;
    return Array.from({ length: columns }, (_, column): Operand => {
      const max = Math.max(...leaves.map((each) => each[column] ?? 0));
      return { text: `value_${index}_${column}`, min: 0, max };
    });
  });
  const values = valuesOf.flat();
  const valueCycles = isDeep ? pipeline.deepValues : pipeline.values;
  const built = sum.terms.map((places, score) =>
    buildAdders(
      places.flatMap((place) => values[place] ?? []),
      sum.bias[score] ?? 0,
      `sum_${score}`,
    ),
  );
  const depth = Math.max(...built.map(({ levels }) => levels.length));
  return {
    trees,
    sum,
    comparisons,
    comparisonOf: (branch) => {
      const comparison = found.get(keyOf(branch));
      if (!comparison) throw new RangeError("The branch is of another graph.");
      return comparison;
    },
    chunks,
    isDeep,
    valuesOf,
    values,
    valueCycles,
    sums: built.map((tree, score) => delayedTo(tree, depth, `sum_${score}`)),
    latencyCycles: valueCycles + depth,
  };
}

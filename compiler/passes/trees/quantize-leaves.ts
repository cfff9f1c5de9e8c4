import { refuseModel } from "../../graph/refuse";
import type { Branch, Tree, TreeEnsemble } from "../../model/trees/ensemble";
import { type GridNode, mergeEqualLeaves } from "./merge-equal-leaves";

/** A tree with integers at its leaves, one for each of its scores. */
export interface GridTree {
  /** The scores that it adds to. */
  readonly scores: readonly number[];
  /** In pre-order. */
  readonly nodes: readonly GridNode<Branch>[];
}

export interface GridEnsemble {
  /** Trees that tell rows apart; what the others add is in the bias. */
  readonly trees: readonly GridTree[];
  readonly bias: readonly number[];
  /** The largest that each score can be; the bias is the least. */
  readonly most: readonly number[];
  /** The grid's steps are `2^-fraction`. */
  readonly fraction: number;
  /** No score is further from the float sum of its leaves than this. */
  readonly errorBound: number;
}

const leafBits = { least: 8, most: 16 } as const;
/** Error allowed in a score, as a share of the widest range that a score can have. */
const tolerance = 1 / 1000;
/** Fractions that the board's identity can hold. */
const largestFraction = 100;
const scoreLimit = 2 ** 31;

/**
 * Rounds leaves to one power-of-two grid, the coarsest of 8 to 16 bits on which no score can be off by more than a
 * thousandth of the range of the scores. The lowest value of each tree goes into the bias, so leaves are never negative.
 *
 * @throws {AppError} `MODEL_UNSUPPORTED` where every row gives the same, or the base hides the leaves.
 */
export function quantizeLeaves({ trees, base }: TreeEnsemble): GridEnsemble {
  const columns = trees.map(columnsOf);
  const ranges = base.map(() => 0);
  let largest = 0;
  for (const { score, weights } of columns.flat()) {
    const spread = Math.max(...weights) - Math.min(...weights);
    ranges[score] = (ranges[score] ?? 0) + spread;
    largest = Math.max(largest, spread);
  }
  if (largest === 0) throw refuseModel("The trees give every row the same answer.");
  const allowed = tolerance * Math.max(...ranges);
  const fractionOf = (bits: number): number => {
    const fraction = Math.floor(Math.log2((2 ** bits - 1) / largest));
    return Math.max(-largestFraction, Math.min(largestFraction, fraction));
  };
  let best: GridEnsemble | null = null;
  for (let bits: number = leafBits.least; bits <= leafBits.most; bits++) {
    const found = onGrid({ trees, columns, base }, fractionOf(bits));
    // The answer of a score has 32 bits.
    if (![...found.bias, ...found.most].every((value) => Math.abs(value) < scoreLimit)) break;
    best = found;
    if (best.errorBound <= allowed) break;
  }
  if (best) return best;
  throw refuseModel("The base values are so large that the leaves would be lost beside them.");
}

/** Weights of every leaf of a tree, in their order, for one of its scores. */
interface Column {
  readonly score: number;
  readonly weights: readonly number[];
}

function columnsOf(tree: Tree): Column[] {
  const leaves = tree.flatMap((node) => (node.kind === "leaf" ? [node.adds] : []));
  const columns = new Map<number, number[]>();
  for (const [leaf, adds] of leaves.entries()) {
    for (const [score, weight] of adds) {
      const weights = columns.get(score) ?? leaves.map(() => 0);
      weights[leaf] = (weights[leaf] ?? 0) + weight;
      columns.set(score, weights);
    }
  }
  return [...columns]
    .map(([score, weights]) => ({ score, weights }))
    .sort((a, b) => a.score - b.score);
}

function onGrid(
  ensemble: Pick<TreeEnsemble, "trees" | "base"> & { readonly columns: readonly Column[][] },
  fraction: number,
): GridEnsemble {
  const { trees, columns, base } = ensemble;
  const step = 2 ** -fraction;
  const round = (value: number): number => Math.round(value / step);
  const errors = base.map((value) => Math.abs(value - round(value) * step));
  const bias = base.map(round);
  const ranges = base.map(() => 0);
  const grid: GridTree[] = [];
  for (const [index, tree] of trees.entries()) {
    const kept: { score: number; values: number[] }[] = [];
    for (const { score, weights } of columns[index] ?? []) {
      const lowest = round(Math.min(...weights));
      const values = weights.map((weight) => round(weight) - lowest);
      const worst = Math.max(...weights.map((weight) => Math.abs(weight - round(weight) * step)));
      const largest = Math.max(...values);
      errors[score] = (errors[score] ?? 0) + worst;
      bias[score] = (bias[score] ?? 0) + lowest;
      ranges[score] = (ranges[score] ?? 0) + largest;
      if (largest > 0) kept.push({ score, values });
    }
    if (kept.length === 0) continue;
    let leaf = 0;
    const nodes = tree.map((node): GridNode<Branch> => {
      if (node.kind === "branch") return node;
      const place = leaf++;
      return { kind: "leaf", values: kept.map(({ values }) => values[place] ?? 0) };
    });
    grid.push({ scores: kept.map(({ score }) => score), nodes: mergeEqualLeaves(nodes) });
  }
  const most = bias.map((value, score) => value + (ranges[score] ?? 0));
  return { trees: grid, bias, most, fraction, errorBound: Math.max(...errors) };
}

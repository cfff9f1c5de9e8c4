import { refuseModel } from "../passes/refuse";
import type { Branch, Tree, TreeEnsemble } from "./ensemble";

/** A tree with integers at its leaves, one for each of its scores. */
export interface GridTree {
  /** The scores that it adds to. */
  readonly scores: readonly number[];
  /** In pre-order. */
  readonly nodes: readonly (
    | Branch
    | { readonly kind: "leaf"; readonly values: readonly number[] }
  )[];
}

export interface GridEnsemble {
  /** Trees that tell rows apart; what the others add is in the bias. */
  readonly trees: readonly GridTree[];
  readonly bias: readonly number[];
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
export function quantizeLeaves(ensemble: TreeEnsemble): GridEnsemble {
  const columns = ensemble.trees.flatMap(columnsOf);
  const spreads = columns.map(({ weights }) => Math.max(...weights) - Math.min(...weights));
  const largest = Math.max(0, ...spreads);
  if (largest === 0) throw refuseModel("The trees give every row the same answer.");
  const range = Math.max(
    ...ensemble.base.map((_, score) =>
      columns.reduce(
        (sum, column, at) => sum + (column.score === score ? (spreads[at] ?? 0) : 0),
        0,
      ),
    ),
  );
  const fractionOf = (bits: number): number =>
    Math.max(
      -largestFraction,
      Math.min(largestFraction, Math.floor(Math.log2((2 ** bits - 1) / largest))),
    );
  let best: GridEnsemble | null = null;
  for (let bits: number = leafBits.least; bits <= leafBits.most; bits++) {
    const found = onGrid(ensemble, fractionOf(bits));
    if (!fits(found)) break;
    best = found;
    if (best.errorBound <= tolerance * range) break;
  }
  if (best) return best;
  throw refuseModel("The base values are so large that the leaves would be lost beside them.");
}

/** Weights of every leaf of a tree for one of its scores. */
function columnsOf(tree: Tree): { score: number; weights: number[] }[] {
  return scoresIn(tree).map((score) => ({
    score,
    weights: tree.flatMap((node) => (node.kind === "leaf" ? [weightOf(node.adds, score)] : [])),
  }));
}

const scoresIn = (tree: Tree): number[] =>
  [
    ...new Set(
      tree.flatMap((node) => (node.kind === "leaf" ? node.adds.map(([score]) => score) : [])),
    ),
  ].sort((a, b) => a - b);

const weightOf = (adds: readonly (readonly [number, number])[], score: number): number =>
  adds.reduce((sum, [each, weight]) => sum + (each === score ? weight : 0), 0);

function onGrid({ trees, base }: TreeEnsemble, fraction: number): GridEnsemble {
  const step = 2 ** -fraction;
  const round = (value: number): number => Math.round(value / step);
  const errors = base.map((value) => Math.abs(value - round(value) * step));
  const bias = base.map(round);
  const grid: GridTree[] = [];
  for (const tree of trees) {
    const columns = columnsOf(tree).map(({ score, weights }) => {
      const lowest = Math.min(...weights.map(round));
      const worst = Math.max(...weights.map((weight) => Math.abs(weight - round(weight) * step)));
      errors[score] = (errors[score] ?? 0) + worst;
      bias[score] = (bias[score] ?? 0) + lowest;
      const varies = weights.some((weight) => round(weight) !== lowest);
      return { score, lowest, varies };
    });
    const kept = columns.filter(({ varies }) => varies);
    if (kept.length === 0) continue;
    const nodes = tree.map((node) =>
      node.kind === "branch"
        ? node
        : {
            kind: "leaf" as const,
            values: kept.map(({ score, lowest }) => round(weightOf(node.adds, score)) - lowest),
          },
    );
    grid.push({ scores: kept.map(({ score }) => score), nodes: withoutTwins(nodes) });
  }
  return { trees: grid, bias, fraction, errorBound: Math.max(...errors) };
}

/** Puts a leaf where both children of a branch are leaves with the same values, again and again. */
function withoutTwins(nodes: GridTree["nodes"]): GridTree["nodes"] {
  const leaves = nodes.map((node) => (node.kind === "leaf" ? node.values : null));
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (node?.kind !== "branch") continue;
    const [yes, no] = [leaves[node.yes], leaves[node.no]];
    if (yes && no && yes.every((value, index) => value === no[index])) leaves[at] = yes;
  }
  const kept: GridTree["nodes"][number][] = [];
  const open: { at: number; parent: number; side: "yes" | "no" }[] = [
    { at: 0, parent: -1, side: "yes" },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, parent, side } = next;
    const above = kept[parent];
    if (above?.kind === "branch") kept[parent] = { ...above, [side]: kept.length };
    const node = nodes[at];
    const values = leaves[at];
    if (values) kept.push({ kind: "leaf", values });
    else if (node?.kind === "branch") {
      const own = kept.push(node) - 1;
      open.push(
        { at: node.no, parent: own, side: "no" },
        { at: node.yes, parent: own, side: "yes" },
      );
    }
  }
  return kept;
}

/** Whether every sum fits the 32 bits of an answer. */
function fits({ trees, bias }: GridEnsemble): boolean {
  const most = [...bias];
  for (const { scores, nodes } of trees) {
    for (const [column, score] of scores.entries()) {
      const values = nodes.flatMap((node) =>
        node.kind === "leaf" ? [node.values[column] ?? 0] : [],
      );
      most[score] = (most[score] ?? 0) + Math.max(...values);
    }
  }
  return [...most, ...bias].every((value) => Math.abs(value) < scoreLimit);
}

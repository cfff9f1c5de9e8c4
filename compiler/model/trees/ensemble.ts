import type { TensorSpec } from "@/lib/common/tensor";
import type { NetworkOutput } from "../dense-network";

/** `value < threshold`, `value <= threshold`, `value === threshold`; all in float32. */
export type Test = "below" | "up-to" | "equal";

/** A node that asks about one feature. */
export interface Branch {
  readonly kind: "branch";
  readonly feature: number;
  readonly test: Test;
  readonly threshold: number;
  /** Where a missing value (NaN) goes. */
  readonly missingYes: boolean;
  /** Places of the children in the tree. */
  readonly yes: number;
  readonly no: number;
}

/** A node that ends the way through its tree. */
export interface Leaf {
  readonly kind: "leaf";
  /** What it adds to which score. */
  readonly adds: readonly (readonly [score: number, weight: number])[];
}

/** Nodes of one tree, the root first; without shared children they are in pre-order. */
export type Tree = readonly (Branch | Leaf)[];

/** What the host makes of the scores of a row. */
export type Transform = "none" | "softmax" | "sigmoid" | "exp";

/** Trees whose leaves add up: `score[s] = base[s] + Σ leaves`. */
export interface TreeEnsemble {
  /** The model's own node. */
  readonly name: string;
  readonly trees: readonly Tree[];
  /** One for each score. */
  readonly base: readonly number[];
  readonly transform: Transform;
  /** Of a classifier: what it answers where the score at that place is the largest. */
  readonly labels: readonly number[] | null;
}

/** A model that is one tree ensemble, over the features of all inputs, one behind the other. */
export interface TreeModel {
  readonly inputs: readonly [TensorSpec, ...TensorSpec[]];
  readonly ensemble: TreeEnsemble;
  readonly outputs: readonly NetworkOutput[];
}

/** The leaf that a row ends in. */
export function findLeaf(tree: Tree, row: ArrayLike<number>): Leaf {
  let node = tree[0];
  while (node?.kind === "branch") {
    const value = Math.fround(row[node.feature] ?? 0);
    node = tree[holds(node, value) ? node.yes : node.no];
  }
  return node ?? { kind: "leaf", adds: [] };
}

function holds({ test, threshold, missingYes }: Branch, value: number): boolean {
  if (Number.isNaN(value)) return missingYes;
  if (test === "below") return value < threshold;
  return test === "up-to" ? value <= threshold : value === threshold;
}

/** Scores of one row in double precision, before any transform. */
export function scoresOf({ trees, base }: TreeEnsemble, row: ArrayLike<number>): number[] {
  const scores = [...base];
  for (const tree of trees) {
    for (const [score, weight] of findLeaf(tree, row).adds) {
      scores[score] = (scores[score] ?? 0) + weight;
    }
  }
  return scores;
}

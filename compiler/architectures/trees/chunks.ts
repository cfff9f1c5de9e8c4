import type { IntegerTree } from "../../integer/integer-graph";

/** Most levels whose comparisons choose an exit within one cycle. */
export const chunkLevels = 6;

/** What a way through a chunk ends in: a leaf of the tree, or a chunk further down. */
export type Exit = { readonly values: readonly number[] } | { readonly chunk: number };

/** As much of a tree as is walked in one cycle. Shallow trees are one chunk. */
export interface Chunk {
  /** Place of its first node in the tree. */
  readonly root: number;
  /** It ends below so many. */
  readonly levels: number;
  /** From left to right. */
  readonly exits: readonly Exit[];
  /** Which exit of which chunk leads here; null for the topmost. */
  readonly above: { readonly chunk: number; readonly exit: number } | null;
}

/**
 * Cuts a tree into as few layers of chunks as there can be, all of the same height. All chunks are walked at the same
 * time; the exits above tell which one counts.
 */
export function chunksOf(tree: IntegerTree): readonly Chunk[] {
  const depth = depthOf(tree);
  const levels = Math.ceil(depth / Math.max(1, Math.ceil(depth / chunkLevels)));
  const found: Pick<Chunk, "root" | "above">[] = [{ root: 0, above: null }];
  const chunks: Chunk[] = [];
  for (let next = found[0]; next; next = found[chunks.length]) {
    const { root, above } = next;
    const exits: Exit[] = [];
    const walk = (at: number, level: number): void => {
      const node = tree[at];
      if (!node || "values" in node) exits.push({ values: node?.values ?? [] });
      else if (level === levels) {
        const exit = exits.push({ chunk: found.length }) - 1;
        found.push({ root: at, above: { chunk: chunks.length, exit } });
      } else {
        walk(node.yes, level + 1);
        walk(node.no, level + 1);
      }
    };
    walk(root, 0);
    chunks.push({ root, levels, exits, above });
  }
  return chunks;
}

/** Comparisons on the longest way to a leaf; nodes are in pre-order. */
function depthOf(tree: IntegerTree): number {
  const depths = tree.map(() => 0);
  for (const [at, node] of tree.entries()) {
    if ("values" in node) continue;
    for (const child of [node.yes, node.no]) depths[child] = (depths[at] ?? 0) + 1;
  }
  return depths.reduce((a, b) => Math.max(a, b), 0);
}

/** What each exit adds to one of the scores of its tree; what is further down adds nothing here. */
export const columnOf = ({ exits }: Chunk, column: number): readonly number[] =>
  exits.map((exit) => ("values" in exit ? (exit.values[column] ?? 0) : 0));

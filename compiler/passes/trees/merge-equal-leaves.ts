/** A branch, or a leaf of integers. */
export type GridNode<Branch> =
  | Branch
  | { readonly kind: "leaf"; readonly values: readonly number[] };

interface Fork {
  readonly kind: "branch";
  readonly yes: number;
  readonly no: number;
}

/** Puts a leaf where both children of a branch are leaves with the same values, again and again. Nodes are in pre-order. */
export function mergeEqualLeaves<Branch extends Fork>(
  nodes: readonly GridNode<Branch>[],
): GridNode<Branch>[] {
  const leaves = nodes.map((node) => (node.kind === "leaf" ? node.values : null));
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at];
    if (node?.kind !== "branch") continue;
    const [yes, no] = [leaves[node.yes], leaves[node.no]];
    if (yes && no && yes.every((value, index) => value === no[index])) leaves[at] = yes;
  }
  const kept: GridNode<Branch>[] = [];
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

import type { Node } from "./circuit";
import type { MemoryWrite } from "./design";

/** What a program does once all its values are known. */
export type Commit =
  | { readonly kind: "store"; readonly offset: number; readonly node: Node }
  | { readonly kind: "write"; readonly write: MemoryWrite };

/** Nodes computed together, then committed together: nothing is stored before everything has been read. */
export interface Program {
  /** Every node needed, operands first. */
  readonly order: readonly Node[];
  readonly commits: readonly Commit[];
}

/** Values a commit takes. */
export function operandsOf(commit: Commit): Node[] {
  if (commit.kind === "store") return [commit.node];
  const { enable, address, data, mask } = commit.write;
  return mask ? [enable, address, data, mask] : [enable, address, data];
}

/** Depth first from the commits, so that values are computed near their use. */
export function planProgram(commits: readonly Commit[]): Program {
  return { order: orderOf(commits.flatMap(operandsOf)), commits };
}

/** Everything that some values are made of, operands first, but what is there `already`. */
export function orderOf(roots: readonly Node[], already: ReadonlySet<Node> = new Set()): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  const stack: { node: Node; next: number }[] = [];
  const visit = (node: Node): void => {
    if (seen.has(node) || already.has(node)) return;
    seen.add(node);
    stack.push({ node, next: 0 });
  };
  for (const root of roots) {
    visit(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const arg = top.node.args[top.next++];
      if (arg) visit(arg);
      else {
        order.push(top.node);
        stack.pop();
      }
    }
  }
  return order;
}

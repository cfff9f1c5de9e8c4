/** Two nodes that should have the same colour, or different ones, and what it costs where they do not. */
export interface Wish {
  readonly one: number;
  readonly other: number;
  readonly differ: boolean;
  readonly cost: number;
}

/** Rounds of turning single nodes; few change anything after the third. */
const mostRounds = 20;

/**
 * Gives each node one of two colours so that unmet wishes cost little: along a spanning tree of the dearest wishes all
 * are met, then single nodes turn while that pays. Not the least there is, which is a maximum cut.
 *
 * @returns By node, whether it has another colour than node 0.
 */
export function twoColours(nodes: number, wishes: readonly Wish[]): boolean[] {
  const colours = alongTree(nodes, wishes);
  const touching: Wish[][] = Array.from({ length: nodes }, () => []);
  for (const wish of wishes) {
    if (wish.one === wish.other) continue;
    touching[wish.one]?.push(wish);
    touching[wish.other]?.push(wish);
  }
  for (let round = 0, turned = true; turned && round < mostRounds; round++) {
    turned = false;
    for (let node = 1; node < nodes; node++) {
      let gain = 0;
      for (const { one, other, differ, cost } of touching[node] ?? []) {
        gain += (colours[one] !== colours[other]) === differ ? -cost : cost;
      }
      if (gain <= 0) continue;
      colours[node] = !colours[node];
      turned = true;
    }
  }
  return colours;
}

function alongTree(nodes: number, wishes: readonly Wish[]): boolean[] {
  const parents = Array.from({ length: nodes }, (_, node) => node);
  const differs = new Array<boolean>(nodes).fill(false);
  const rootOf = (node: number): { root: number; differ: boolean } => {
    let root = node;
    let differ = false;
    for (let parent = parents[root] ?? root; parent !== root; parent = parents[root] ?? root) {
      differ = differ !== (differs[root] ?? false);
      root = parent;
    }
    parents[node] = root;
    differs[node] = root === node ? false : differ;
    return { root, differ };
  };
  for (const wish of wishes.toSorted((a, b) => b.cost - a.cost)) {
    const one = rootOf(wish.one);
    const other = rootOf(wish.other);
    if (one.root === other.root) continue;
    const [root, child] = one.root < other.root ? [one.root, other.root] : [other.root, one.root];
    parents[child] = root;
    differs[child] = (one.differ !== other.differ) !== wish.differ;
  }
  return parents.map((_, node) => rootOf(node).differ);
}

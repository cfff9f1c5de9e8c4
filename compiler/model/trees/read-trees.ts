import { fail } from "@/lib/common/errors";
import type { GraphNode } from "../../graph/graph";
import { refuse } from "../../graph/refuse";
import type { Branch, Leaf, Test, Tree } from "./ensemble";

/** Each mode as a test; those that hold above a threshold are the same test with its children exchanged. */
const modes: Readonly<Record<string, { readonly test: Test; readonly exchanged: boolean }>> = {
  BRANCH_LT: { test: "below", exchanged: false },
  BRANCH_LEQ: { test: "up-to", exchanged: false },
  BRANCH_EQ: { test: "equal", exchanged: false },
  BRANCH_GTE: { test: "below", exchanged: true },
  BRANCH_GT: { test: "up-to", exchanged: true },
  BRANCH_NEQ: { test: "equal", exchanged: true },
};

/** A column of numbers of a tree ensemble's node; empty where the file has none. @throws {AppError} `MODEL_INVALID` */
export function numbersOf(node: GraphNode, name: string): readonly number[] {
  return columnOf(node, name, (each): each is number => typeof each === "number");
}

function columnOf<T extends number | string>(
  node: GraphNode,
  name: string,
  isOfType: (each: unknown) => each is T,
): readonly T[] {
  const column: unknown = node.attributes[name] ?? [];
  if (Array.isArray(column) && column.every(isOfType)) return column;
  throw invalid(node, `has a column ${name} of another type`);
}

/**
 * The trees of a `TreeEnsembleRegressor` or `TreeEnsembleClassifier`.
 *
 * @param leaves What the leaves' columns start with.
 * @throws {AppError} `MODEL_INVALID` for what is no tree, `OPERATOR_UNSUPPORTED` for modes that are none.
 */
export function readTrees(node: GraphNode, leaves: "target" | "class", scores: number): Tree[] {
  const columns = columnsOf(node);
  const adds = addsOf(node, leaves, scores);
  const roots = columns.tree.flatMap((tree, place) =>
    tree === columns.tree[place - 1] ? [] : [place],
  );
  return roots.map((root) => readTree(node, { ...columns, adds }, root));
}

interface Columns {
  readonly tree: readonly number[];
  readonly id: readonly number[];
  readonly feature: readonly number[];
  readonly value: readonly number[];
  readonly mode: readonly string[];
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly missingYes: readonly number[];
  /** Places by tree and id. */
  readonly places: ReadonlyMap<string, number>;
}

const keyOf = (tree: number | undefined, id: number | undefined): string => `${tree} ${id}`;

function columnsOf(node: GraphNode): Columns {
  const tree = numbersOf(node, "nodes_treeids");
  const id = numbersOf(node, "nodes_nodeids");
  const missing = numbersOf(node, "nodes_missing_value_tracks_true");
  const columns = {
    tree,
    id,
    feature: numbersOf(node, "nodes_featureids"),
    value: numbersOf(node, "nodes_values"),
    mode: columnOf(node, "nodes_modes", (each): each is string => typeof each === "string"),
    yes: numbersOf(node, "nodes_truenodeids"),
    no: numbersOf(node, "nodes_falsenodeids"),
    missingYes: missing.length === 0 ? tree.map(() => 0) : missing,
  };
  if (node.attributes["nodes_values_as_tensor"] !== undefined) {
    throw refuse(node, "has thresholds in double precision, which are not supported");
  }
  if (tree.length === 0 || Object.values(columns).some(({ length }) => length !== tree.length)) {
    throw invalid(node, "has columns of different lengths");
  }
  const places = new Map(tree.map((each, place) => [keyOf(each, id[place]), place]));
  if (places.size !== tree.length) throw invalid(node, "names a node twice");
  return { ...columns, places };
}

function addsOf(node: GraphNode, leaves: string, scores: number): ReadonlyMap<string, Leaf> {
  const column = (name: string) => numbersOf(node, `${leaves}_${name}`);
  const [trees, ids] = [column("treeids"), column("nodeids")];
  const [targets, weights] = [column("ids"), column("weights")];
  if ([ids, targets, weights].some(({ length }) => length !== trees.length)) {
    throw invalid(node, "has leaves of different lengths");
  }
  const found = new Map<string, [number, number][]>();
  for (const [index, tree] of trees.entries()) {
    const key = keyOf(tree, ids[index]);
    const [target = -1, weight = Number.NaN] = [targets[index], weights[index]];
    if (!Number.isInteger(target) || target < 0 || target >= scores)
      throw invalid(node, `adds to score ${target} of ${scores}`);
    if (!Number.isFinite(weight)) throw invalid(node, `has a leaf of ${weight}`);
    const adds = found.get(key) ?? [];
    adds.push([target, Math.fround(weight)]);
    found.set(key, adds);
  }
  return new Map([...found].map(([key, adds]) => [key, { kind: "leaf", adds }]));
}

interface Sources extends Columns {
  readonly adds: ReadonlyMap<string, Leaf>;
}

/**
 * Walks from the root without recursion, so that depth cannot end the process. What was met before is not read again:
 * splits on categories lead to one child in several ways.
 */
function readTree(node: GraphNode, columns: Sources, root: number): Tree {
  const tree: (Branch | Leaf)[] = [];
  const met = new Map<number, number>();
  const open: { place: number; parent: number; side: "yes" | "no" }[] = [
    { place: root, parent: -1, side: "yes" },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { place, parent, side } = next;
    const known = met.get(place);
    const above = tree[parent];
    if (above?.kind === "branch") tree[parent] = { ...above, [side]: known ?? tree.length };
    if (known !== undefined) continue;
    met.set(place, tree.length);
    if (columns.mode[place] === "LEAF") {
      const key = keyOf(columns.tree[place], columns.id[place]);
      tree.push(columns.adds.get(key) ?? { kind: "leaf", adds: [] });
      continue;
    }
    const where = `tree ${columns.tree[root]}, node ${columns.id[place]}`;
    const branch = readBranch(node, columns, place, where);
    const own = tree.push(branch) - 1;
    open.push(
      { place: branch.no, parent: own, side: "no" },
      { place: branch.yes, parent: own, side: "yes" },
    );
  }
  if (hasCycle(tree)) throw invalid(node, `has a cycle in tree ${columns.tree[root]}`);
  return tree;
}

/** Takes away what nothing leads to, again and again; only cycles are left. @see Kahn 1962 */
function hasCycle(tree: Tree): boolean {
  const parents = parentsOf(tree);
  const free = parents[0] === 0 ? [0] : [];
  let taken = 0;
  for (let at = free.pop(); at !== undefined; at = free.pop()) {
    taken++;
    const node = tree[at];
    if (node?.kind !== "branch") continue;
    for (const child of [node.yes, node.no]) {
      const left = (parents[child] ?? 0) - 1;
      parents[child] = left;
      if (left === 0) free.push(child);
    }
  }
  return taken < tree.length;
}

/** How many branches lead to each node of a tree. */
export function parentsOf(tree: Tree): number[] {
  const parents = tree.map(() => 0);
  for (const node of tree) {
    if (node.kind === "leaf") continue;
    for (const child of [node.yes, node.no]) parents[child] = (parents[child] ?? 0) + 1;
  }
  return parents;
}

function readBranch(node: GraphNode, columns: Sources, place: number, where: string): Branch {
  const mode = modes[columns.mode[place] ?? ""];
  if (!mode) throw refuse(node, `compares by ${columns.mode[place]}, which is not supported`);
  const threshold = Math.fround(columns.value[place] ?? Number.NaN);
  if (Number.isNaN(threshold)) throw invalid(node, `has no threshold at ${where}`);
  const child = (id: number | undefined): number => {
    const found = columns.places.get(keyOf(columns.tree[place], id));
    if (found === undefined)
      throw invalid(node, `names child ${id} at ${where}, which is not there`);
    return found;
  };
  const [yes, no] = [child(columns.yes[place]), child(columns.no[place])];
  const missingYes = columns.missingYes[place] === 1;
  return {
    kind: "branch",
    feature: columns.feature[place] ?? -1,
    test: mode.test,
    threshold,
    missingYes: missingYes !== mode.exchanged,
    yes: mode.exchanged ? no : yes,
    no: mode.exchanged ? yes : no,
  };
}

const invalid = (node: GraphNode, what: string) =>
  fail("MODEL_INVALID", `Node "${node.name}" (${node.operator}) ${what}.`, {
    hint: "Export the model again.",
    details: { node: node.name },
  });

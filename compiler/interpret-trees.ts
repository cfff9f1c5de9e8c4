import type { GraphNode } from "./graph";
import type { RealTensor } from "./real-tensor";

/** One entry for each node of each tree. */
interface Forest {
  readonly roots: readonly number[];
  readonly feature: readonly number[];
  readonly value: readonly number[];
  readonly mode: readonly string[];
  /** Places of children in these lists. */
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly missingYes: readonly number[];
  /** Targets and weights of each leaf, by place. */
  readonly leaves: ReadonlyMap<number, readonly (readonly [target: number, weight: number])[]>;
}

/** Walks every tree for every row, and sums the leaves by target: `TreeEnsembleRegressor` with `SUM` and no transform. */
export function treeEnsemble(node: GraphNode, { shape, values }: RealTensor): RealTensor {
  const forest = readForest(node);
  const targets = Number(node.attributes["n_targets"] ?? 1);
  const base = numbers(node, "base_values");
  const width = shape[1] ?? 1;
  const rows = shape[0] ?? 1;
  const sums = new Float64Array(rows * targets);
  for (let row = 0; row < rows; row++) {
    for (let target = 0; target < targets; target++) {
      sums[row * targets + target] = base[target] ?? 0;
    }
    for (const root of forest.roots) {
      const leaf = walk(forest, root, (feature) => values[row * width + feature] ?? 0);
      for (const [target, weight] of forest.leaves.get(leaf) ?? []) {
        const at = row * targets + target;
        sums[at] = (sums[at] ?? 0) + weight;
      }
    }
  }
  return { shape: [rows, targets], values: sums };
}

function walk(forest: Forest, root: number, featureOf: (feature: number) => number): number {
  let at = root;
  while (forest.mode[at] !== "LEAF") {
    const value = Math.fround(featureOf(forest.feature[at] ?? 0));
    const threshold = Math.fround(forest.value[at] ?? 0);
    const holds = Number.isNaN(value)
      ? forest.missingYes[at] === 1
      : forest.mode[at] === "BRANCH_EQ"
        ? value === threshold
        : value < threshold;
    at = (holds ? forest.yes[at] : forest.no[at]) ?? root;
  }
  return at;
}

const numbers = (node: GraphNode, name: string): readonly number[] =>
  (node.attributes[name] ?? []) as readonly number[];

function readForest(node: GraphNode): Forest {
  const tree = numbers(node, "nodes_treeids");
  const id = numbers(node, "nodes_nodeids");
  const places = new Map(tree.map((each, place) => [`${each} ${id[place]}`, place]));
  const place = (of: number | undefined, child: number | undefined): number =>
    places.get(`${of} ${child}`) ?? 0;
  const leafTrees = numbers(node, "target_treeids");
  const leafIds = numbers(node, "target_nodeids");
  const targets = numbers(node, "target_ids");
  const weights = numbers(node, "target_weights");
  const leaves = new Map<number, (readonly [target: number, weight: number])[]>();
  for (const [index, each] of leafTrees.entries()) {
    const at = place(each, leafIds[index]);
    const list = leaves.get(at) ?? [];
    list.push([targets[index] ?? 0, Math.fround(weights[index] ?? 0)]);
    leaves.set(at, list);
  }
  return {
    roots: tree.flatMap((each, at) => (each === tree[at - 1] ? [] : [at])),
    feature: numbers(node, "nodes_featureids"),
    value: numbers(node, "nodes_values"),
    mode: (node.attributes["nodes_modes"] ?? []) as readonly string[],
    yes: numbers(node, "nodes_truenodeids").map((child, at) => place(tree[at], child)),
    no: numbers(node, "nodes_falsenodeids").map((child, at) => place(tree[at], child)),
    missingYes: numbers(node, "nodes_missing_value_tracks_true"),
    leaves,
  };
}

import { fail } from "@/lib/common/errors";
import { missing, numbersAt, objectAt } from "./fields";
import type { Tree } from "./model";

interface TreePlace {
  /** Its number in the file. */
  readonly index: number;
  readonly group: number;
  /** Outputs of the model. */
  readonly groups: number;
  readonly features: number;
  /** What its leaves are multiplied with. */
  readonly scale: number;
}

/**
 * Reads a tree and checks that it is one: children and features that exist, every node reached at most once.
 *
 * @throws {AppError} `MODEL_INVALID`, `MODEL_CYCLE`.
 */
export function readTree(value: unknown, place: TreePlace): Tree {
  const { index, group, groups, features, scale } = place;
  const path = `tree ${index}`;
  const fields = objectAt(value, path);
  const column = (name: string) => numbersAt(fields[name], `${path}: ${name}`);
  const left = column("left_children");
  const right = column("right_children");
  const feature = column("split_indices");
  const conditions = column("split_conditions");
  const defaults = column("default_left");
  const count = left.length;
  const columns = [right, feature, conditions, defaults];
  if (count === 0 || columns.some(({ length }) => length !== count)) throw missing(path);
  const parameters = objectAt(fields["tree_param"] ?? {}, `${path}: tree_param`);
  const width = Number(parameters["size_leaf_vector"] ?? 1);
  if (width > 1 && width !== groups) throw missing(`${path}: size_leaf_vector`);
  checkTree(index, { left, right, feature, features });
  return {
    left,
    right,
    feature,
    value: conditions.map((each, node) => (left[node] === -1 ? Math.fround(each * scale) : each)),
    defaultLeft: defaults.map((each) => each !== 0),
    categories: categoriesOf(fields, path, left),
    vectors: width > 1 ? vectorsOf(fields, { path, left, right, width, scale }) : null,
    group,
  };
}

/**
 * The values of leaves that have one for each output. Since XGBoost 3.1 they lie in a list of their own, and a leaf's right
 * child is its place there; before, every node has a place among the weights.
 */
function vectorsOf(
  fields: Readonly<Record<string, unknown>>,
  {
    path,
    left,
    right,
    width,
    scale,
  }: Pick<Tree, "left" | "right"> & { path: string; width: number; scale: number },
): ReadonlyMap<number, readonly number[]> {
  const own = fields["leaf_weights"] !== undefined;
  const name = own ? "leaf_weights" : "base_weights";
  const weights = numbersAt(fields[name], `${path}: ${name}`);
  const leaves = left.flatMap((child, node) => (child === -1 ? [node] : []));
  return new Map(
    leaves.map((node) => {
      const place = own ? (right[node] ?? -1) : node;
      const values = weights.slice(place * width, (place + 1) * width);
      if (!Number.isInteger(place) || place < 0 || values.length !== width) {
        throw missing(`${path}: ${name} of node ${node}`);
      }
      return [node, values.map((each) => Math.fround(each * scale))] as const;
    }),
  );
}

function checkTree(
  tree: number,
  {
    left,
    right,
    feature,
    features,
  }: Pick<Tree, "left" | "right" | "feature"> & { readonly features: number },
): void {
  const seen = new Uint8Array(left.length);
  const open = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen[node]) throw fail("MODEL_CYCLE", `Tree ${tree} has a cycle at node ${node}.`);
    seen[node] = 1;
    if (left[node] === -1) continue;
    for (const child of [left[node], right[node]]) {
      if (child === undefined || !Number.isInteger(child) || child < 0 || child >= left.length) {
        throw fail(
          "MODEL_INVALID",
          `Tree ${tree}, node ${node}: child ${child?.toLocaleString("en")} of ${left.length} nodes.`,
        );
      }
      open.push(child);
    }
    const split = feature[node] ?? -1;
    if (!Number.isInteger(split) || split < 0 || split >= features) {
      throw fail(
        "MODEL_INVALID",
        `Tree ${tree}, node ${node}: feature ${split}, the model has ${features}.`,
      );
    }
  }
}

function categoriesOf(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  left: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const list = (name: string) => numbersAt(fields[name] ?? [], `${path}: ${name}`);
  const nodes = list("categories_nodes");
  const segments = list("categories_segments");
  const sizes = list("categories_sizes");
  const all = list("categories");
  return new Map(
    nodes.flatMap((node, index) => {
      const from = segments[index] ?? -1;
      const size = sizes[index] ?? -1;
      if (from < 0 || size < 0 || from + size > all.length || (left[node] ?? -1) < 0) {
        throw missing(`${path}: categories of node ${node}`);
      }
      return [[node, all.slice(from, from + size)] as const];
    }),
  );
}

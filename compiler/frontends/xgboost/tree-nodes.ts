import type { Attribute } from "../../graph/graph";
import type { Tree } from "./model";

/** Columns of a `TreeEnsemble` node, one entry for each node of each tree. */
class Columns {
  readonly tree: number[] = [];
  readonly id: number[] = [];
  readonly feature: number[] = [];
  readonly value: number[] = [];
  readonly mode: string[] = [];
  readonly yes: number[] = [];
  readonly no: number[] = [];
  readonly missingYes: number[] = [];
  readonly leafTree: number[] = [];
  readonly leafId: number[] = [];
  readonly leafGroup: number[] = [];
  readonly leafValue: number[] = [];
}

/**
 * Trees as the attributes of a `TreeEnsembleRegressor`: `x < threshold` in float32, missing values where the tree sends
 * them, a split on categories as a chain of comparisons that all lead right.
 */
export function treeAttributes(
  trees: readonly Tree[],
  { groups, baseMargins }: { readonly groups: number; readonly baseMargins: readonly number[] },
): Readonly<Record<string, Attribute>> {
  const columns = new Columns();
  for (const [index, tree] of trees.entries()) addTree(columns, tree, index);
  return {
    n_targets: groups,
    aggregate_function: "SUM",
    post_transform: "NONE",
    base_values: baseMargins.map(Math.fround),
    nodes_treeids: columns.tree,
    nodes_nodeids: columns.id,
    nodes_featureids: columns.feature,
    nodes_values: columns.value,
    nodes_modes: columns.mode,
    nodes_truenodeids: columns.yes,
    nodes_falsenodeids: columns.no,
    nodes_missing_value_tracks_true: columns.missingYes,
    target_treeids: columns.leafTree,
    target_nodeids: columns.leafId,
    target_ids: columns.leafGroup,
    target_weights: columns.leafValue,
  };
}

interface Branch {
  readonly id: number;
  readonly feature: number;
  readonly value: number;
  readonly mode: string;
  readonly yes: number;
  readonly no: number;
  readonly missingYes: boolean;
}

function addTree(columns: Columns, tree: Tree, index: number): void {
  const add = ({ id, feature, value, mode, yes, no, missingYes }: Branch): void => {
    columns.tree.push(index);
    columns.id.push(id);
    columns.feature.push(feature);
    columns.value.push(value);
    columns.mode.push(mode);
    columns.yes.push(yes);
    columns.no.push(no);
    columns.missingYes.push(missingYes ? 1 : 0);
  };
  let next = tree.left.length;
  for (let id = 0; id < tree.left.length; id++) {
    const [left = -1, right = -1] = [tree.left[id], tree.right[id]];
    const [feature = 0, value = 0] = [tree.feature[id], tree.value[id]];
    const missingLeft = tree.defaultLeft[id] === true;
    if (left === -1) {
      add({ id, feature: 0, value: 0, mode: "LEAF", yes: 0, no: 0, missingYes: false });
      const values = tree.vectors?.get(id);
      for (const [group, each] of values?.entries() ?? [[tree.group, value] as const]) {
        columns.leafTree.push(index);
        columns.leafId.push(id);
        columns.leafGroup.push(group);
        columns.leafValue.push(each);
      }
      continue;
    }
    const categories = tree.categories.get(id);
    if (!categories) {
      add({ id, feature, value, mode: "BRANCH_LT", yes: left, no: right, missingYes: missingLeft });
      continue;
    }
    if (categories.length === 0) {
      // Nothing goes right but, perhaps, what is missing: no number is below minus infinity.
      const mode = "BRANCH_LT";
      add({ id, feature, value: -Infinity, mode, yes: right, no: left, missingYes: !missingLeft });
      continue;
    }
    let own = id;
    for (const [place, category] of categories.entries()) {
      const last = place === categories.length - 1;
      const no = last ? left : next;
      const missingYes = place === 0 && !missingLeft;
      add({ id: own, feature, value: category, mode: "BRANCH_EQ", yes: right, no, missingYes });
      if (!last) own = next++;
    }
  }
}

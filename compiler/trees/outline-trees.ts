import type { TreeOutline } from "@/lib/common/contract";
import type { IntegerTree } from "../integer-graph";
import { widthFor, widthOf } from "../range";
import type { TreeLayout } from "./layout";

/** Counts what a laid out tree core is made of, for rows of so many bytes. */
export function outlineTrees(layout: TreeLayout, inputBytes: number): TreeOutline {
  const { trees, comparisons, sums, sum } = layout;
  const isWide = (feature: number): boolean => trees.features[feature]?.bytes === 2;
  const narrow = comparisons.filter(({ feature }) => !isWide(feature));
  const digits = new Set(
    narrow.flatMap(({ limit }) => [
      `high ${limit >> 4}`,
      `same ${limit >> 4}`,
      `low ${limit & 15}`,
    ]),
  );
  const wide = comparisons.filter(({ feature }) => isWide(feature));
  const adders = sums.flatMap(({ levels }) => levels.flat());
  const leaves = trees.trees.map(leavesOf);
  return {
    trees: trees.trees.length,
    inputBytes,
    outputBytes: (sum.width / 8) * sums.length,
    latencyCycles: layout.latencyCycles,
    comparisons: comparisons.length,
    digits: digits.size,
    wideLimits: new Set(wide.map(({ limit }) => limit)).size,
    leaves: leaves.reduce((total, own) => total + own.length, 0),
    tables: countTables(leaves),
    leafBits:
      leaves.reduce((total, own) => total + widthFor(own.length - 1), 0) +
      layout.values.reduce((total, value) => total + widthOf(value), 0),
    adderBits: adders.reduce((total, adder) => total + widthOf(adder), 0),
  };
}

type Leaves = readonly (readonly number[])[];

const leavesOf = (tree: IntegerTree): Leaves =>
  tree.flatMap((node) => ("values" in node ? [node.values] : []));

/** By the bits of a leaf's number. Bits of leaves that are the same in all of them, or the same as another bit, take nothing. */
function countTables(trees: readonly Leaves[]): number[] {
  const counts: number[] = [];
  for (const leaves of trees) {
    const inputs = widthFor(leaves.length - 1);
    while (counts.length <= inputs) counts.push(0);
    counts[inputs] = (counts[inputs] ?? 0) + tablesOf(leaves).size;
  }
  return counts;
}

function tablesOf(leaves: Leaves): Set<string> {
  const tables = new Set<string>();
  for (const column of leaves[0]?.keys() ?? []) {
    const values = leaves.map((each) => each[column] ?? 0);
    for (let bit = 0; bit < widthFor(Math.max(...values)); bit++) {
      const table = values.map((value) => Math.floor(value / 2 ** bit) % 2).join("");
      if (table.includes("0") && table.includes("1")) tables.add(table);
    }
  }
  return tables;
}

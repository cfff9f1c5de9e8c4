import type { IntegerTree } from "../integer-graph";
import { widthFor, widthOf } from "../range";
import type { TreeLayout } from "./layout";

/** Logic cells around the trees: the row's control, the cycle counter, the byte that goes out. */
const fixedCells = 60;
/** Comparing two bytes with a constant; features share it. */
const cellsPerWideLimit = 16;
/** A four-input table is one cell; a function of more inputs is made of several. */
const cellsPerTable = [1, 1, 1, 1, 1, 4, 9.5] as const;
/** Cells that choose a leaf's number. */
const cellsPerLeaf = 0.8;

/** Logic cells of a tree core, before any tool runs; fitted to designs placed on HX8K. */
export function estimateTreeCells(layout: TreeLayout, inputBytes: number): number {
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
  const wide = new Set(
    comparisons.filter(({ feature }) => isWide(feature)).map(({ limit }) => limit),
  );
  const adders = sums.flatMap(({ levels }) => levels.flat());
  const outputs = (sum.width / 8) * sums.length;
  return Math.ceil(
    fixedCells +
      inputBytes +
      4 * outputs +
      digits.size +
      wide.size * cellsPerWideLimit +
      comparisons.length +
      trees.trees.reduce((total, tree) => total + cellsOf(tree), 0) +
      adders.reduce((total, adder) => total + widthOf(adder), 0),
  );
}

/** Bits of leaves that are the same in all of them, or the same as another bit, take nothing. */
function cellsOf(tree: IntegerTree): number {
  const leaves = tree.flatMap((node) => ("values" in node ? [node.values] : []));
  const tables = new Set<string>();
  for (const column of leaves[0]?.keys() ?? []) {
    const values = leaves.map((each) => each[column] ?? 0);
    for (let bit = 0; bit < widthFor(Math.max(...values)); bit++) {
      const table = values.map((value) => Math.floor(value / 2 ** bit) % 2).join("");
      if (table.includes("0") && table.includes("1")) tables.add(table);
    }
  }
  const inputs = widthFor(leaves.length - 1);
  return cellsPerLeaf * leaves.length + tables.size * (cellsPerTable[inputs] ?? inputs);
}

import { widthFor, widthOf } from "../../integer/range";
import { type Chunk, columnOf } from "./chunks";
import type { TreeLayout } from "./layout";
import type { TreeOutline } from "./tree-outline";

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
  const chunks = layout.chunks.flat();
  const tables = countTables(layout);
  return {
    trees: trees.trees.length,
    inputBytes,
    outputBytes: (sum.width / 8) * sums.length,
    latencyCycles: layout.latencyCycles,
    comparisons: comparisons.length,
    digits: digits.size,
    wideLimits: new Set(wide.map(({ limit }) => limit)).size,
    leaves: chunks.reduce((total, { exits }) => total + exits.length, 0),
    tables,
    chunks: chunks.length - trees.trees.length,
    joins: layout.isDeep ? joinedBits(layout) : 0,
    leafBits:
      chunks.reduce((total, { exits }) => total + widthFor(exits.length - 1), 0) +
      tables.reduce((total, count) => total + count, 0) +
      (layout.isDeep ? layout.values.reduce((total, value) => total + widthOf(value), 0) : 0),
    adderBits: adders.reduce((total, adder) => total + widthOf(adder), 0),
  };
}

/** By the bits of a leaf's number. Bits of leaves that are the same in all of them, or the same as another bit, take nothing. */
function countTables({ chunks, valuesOf }: TreeLayout): number[] {
  const counts: number[] = [];
  for (const [index, own] of chunks.entries()) {
    for (const chunk of own) {
      const inputs = widthFor(chunk.exits.length - 1);
      while (counts.length <= inputs) counts.push(0);
      counts[inputs] = (counts[inputs] ?? 0) + tablesOf(chunk, valuesOf[index]?.length ?? 0).size;
    }
  }
  return counts;
}

function tablesOf(chunk: Chunk, columns: number): Set<string> {
  const tables = new Set<string>();
  for (let column = 0; column < columns; column++) {
    const values = columnOf(chunk, column);
    for (let bit = 0; bit < widthFor(Math.max(...values)); bit++) {
      const table = values.map((value) => Math.floor(value / 2 ** bit) % 2).join("");
      if (table.includes("0") && table.includes("1")) tables.add(table);
    }
  }
  return tables;
}

/** Bits of what all chunks of a tree add, of which one counts. */
const joinedBits = ({ chunks, valuesOf }: TreeLayout): number =>
  chunks.reduce(
    (total, { length }, index) =>
      total + length * (valuesOf[index] ?? []).reduce((sum, value) => sum + widthOf(value), 0),
    0,
  );

import { type FeatureRanks, rankBytes } from "@/lib/common/ranks";
import type { IntegerTree } from "../../integer/integer-graph";
import { randomFrom } from "../../random";

const randomRows = 1000;
const seed = 1;

/** Ranks that a feature may have, both ends included. */
interface Span {
  readonly low: number;
  readonly high: number;
}

/**
 * Rows of ranks that every level must answer alike: all zero, all ones; for each branch of each tree a row on either side
 * of its threshold and one whose value is missing, all of which get as far as that branch; a row that ends in each leaf;
 * and 1,000 seeded random rows of ranks that can occur.
 *
 * @param ranks One for each feature of the model; branches count those that are sent.
 */
export function treeVectors(
  trees: readonly IntegerTree[],
  ranks: readonly FeatureRanks[],
): Int8Array[] {
  const random = randomFrom(seed);
  const sent = ranks.filter((each) => rankBytes(each) > 0);
  const whole = sent.map(({ thresholds }): Span => ({ low: 0, high: thresholds.length }));
  const missing = sent.map((each) => (each.missing ? 256 ** rankBytes(each) - 1 : null));
  const sizes = sent.map(rankBytes);
  const bytesOf = (row: readonly number[]): Int8Array =>
    Int8Array.from(row.flatMap((rank, at) => (sizes[at] === 2 ? [rank & 255, rank >> 8] : [rank])));
  const within = (spans: readonly Span[]): number[] =>
    spans.map(({ low, high }) => random.integer(low, high));

  const rows: number[][] = [];
  for (const tree of trees) {
    for (const { at, spans } of reachable(tree, whole)) {
      const node = tree[at];
      if (!node || !("limit" in node)) {
        rows.push(within(spans));
        continue;
      }
      const span = spans[node.feature] ?? { low: 0, high: 0 };
      for (const rank of [node.limit - 1, node.limit]) {
        if (rank >= span.low && rank <= span.high)
          rows.push(within(spans).with(node.feature, rank));
      }
      const code = missing[node.feature];
      if (typeof code === "number") rows.push(within(spans).with(node.feature, code));
    }
  }
  for (let row = 0; row < randomRows; row++) {
    rows.push(
      within(whole).map((rank, at) => (random.integer(0, 15) === 0 ? (missing[at] ?? rank) : rank)),
    );
  }
  const size = sizes.reduce((sum: number, bytes) => sum + bytes, 0);
  return [new Int8Array(size), new Int8Array(size).fill(-1), ...rows.map(bytesOf)];
}

/** Each node that a row without missing values can get to, with the ranks that get there. */
function reachable(tree: IntegerTree, whole: readonly Span[]) {
  const found: { at: number; spans: readonly Span[] }[] = [];
  const open = [{ at: 0, spans: whole }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, spans } = next;
    found.push(next);
    const node = tree[at];
    if (!node || !("limit" in node)) continue;
    const { low, high } = spans[node.feature] ?? { low: 0, high: 0 };
    const yes = { low, high: Math.min(high, node.limit - 1) };
    const no = { low: Math.max(low, node.limit), high };
    if (no.low <= no.high) open.push({ at: node.no, spans: spans.with(node.feature, no) });
    if (yes.low <= yes.high) open.push({ at: node.yes, spans: spans.with(node.feature, yes) });
  }
  return found;
}

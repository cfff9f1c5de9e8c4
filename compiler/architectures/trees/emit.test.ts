import { describe, expect, it } from "vitest";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { loadTreeSample, treeSampleIds } from "@/tests/support/compiler/tree-samples";
import type { Graph } from "../../graph/graph";
import { runIntegerGraph } from "../../integer/run-integer-graph";
import { lowerTrees } from "../../lower/trees";
import { emitTreeCore } from "./emit";
import { layOut } from "./layout";

/** One tree, each of whose branches but the last has a leaf on one side. */
function chainOf(count: number): Graph {
  const ids = Array.from({ length: 2 * count + 1 }, (_, id) => id);
  const isLeaf = (id: number) => id >= count;
  const leaves = ids.filter(isLeaf);
  const attributes = {
    nodes_treeids: ids.map(() => 0),
    nodes_nodeids: ids,
    nodes_featureids: ids.map((id) => (isLeaf(id) ? 0 : id % 5)),
    nodes_values: ids.map((id) => (isLeaf(id) ? 0 : (count - id) / 8)),
    nodes_modes: ids.map((id) => (isLeaf(id) ? "LEAF" : "BRANCH_LT")),
    nodes_truenodeids: ids.map((id) => (isLeaf(id) ? 0 : id + 1)),
    nodes_falsenodeids: ids.map((id) => (isLeaf(id) ? 0 : count + 1 + id)),
    nodes_missing_value_tracks_true: ids.map((id) => (isLeaf(id) ? 0 : id % 2)),
    target_treeids: leaves.map(() => 0),
    target_nodeids: leaves,
    target_ids: leaves.map(() => 0),
    target_weights: leaves.map((id) => (id - count) / 4),
  };
  return randomTrees({ seed: 1, trees: 1, depth: 1, attributes });
}

const deep = (depth: number, scores: number): readonly [string, Graph] => [
  `${scores === 1 ? "one score" : `${scores} scores`} of trees of ${depth} levels`,
  randomTrees({
    seed: depth,
    trees: 3,
    depth,
    features: 5,
    scores,
    sharedLeaves: true,
    missing: true,
  }),
];

describe("the emitted tree core in Icarus", { timeout: 60_000 }, () => {
  it.each([
    ...treeSampleIds.map((id) => [id, loadTreeSample(id).graph] as const),
    deep(7, 1),
    deep(8, 3),
    ["a chain of 20 branches", chainOf(20)] as const,
  ])("equals the integer graph of %s", (_, graph) => {
    const { integerGraph, vectors } = lowerTrees(graph);
    const layout = layOut(integerGraph);
    const verilog = emitTreeCore(integerGraph, layout);
    const rows = vectors().slice(-300);
    const answers = runIcarus(verilog, rows, {
      outputs: integerGraph.output.size,
      bytesPerOutput: integerGraph.output.width / 8,
    });
    expect(answers).toHaveLength(rows.length);
    for (const [index, answer] of answers.entries()) {
      const row = rows[index] ?? new Int8Array();
      expect([...answer.values]).toEqual([...runIntegerGraph(integerGraph, row).output]);
      expect(answer.cycles).toBe(layout.latencyCycles);
    }
  });
});

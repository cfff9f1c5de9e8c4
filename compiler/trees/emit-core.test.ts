import { describe, expect, it } from "vitest";
import { runIcarus } from "@/tests/support/compiler/run-icarus";
import { loadTreeSample, treeSampleIds } from "@/tests/support/compiler/tree-samples";
import { runIntegerGraph } from "../run-integer-graph";
import { emitTreeCore } from "./emit-core";
import { layOut } from "./layout";
import { lowerTrees } from "./lower-trees";

describe("the emitted tree core in Icarus", { timeout: 60_000 }, () => {
  it.each(treeSampleIds)("equals the integer graph of %s", (id) => {
    const { integerGraph, vectors } = lowerTrees(loadTreeSample(id).graph);
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

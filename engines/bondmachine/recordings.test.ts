import { describe, expect, it } from "vitest";
import type { ToolStep } from "@/engines";
import { loadRecording, recordedGraph, recordedNets } from "@/tests/support/bondmachine/recordings";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { numberTypeOf } from "../reference/number-type";
import { runReference } from "../reference/reference";
import { bondmachineEngine } from ".";

/** A recorded net as a plan; for the largest board, since the small ones refuse some. */
function planOf(net: string) {
  const base = planRequest("iris-mlp", "ulx3s-85f");
  const model = { ...base.model, graph: recordedGraph(net) };
  const { type } = loadRecording(net);
  return bondmachineEngine.plan({ ...base, model, card: null, options: { dataType: type } });
}

describe.each(recordedNets)("the recorded net %s", (net) => {
  const { type, basm, commands, vectors } = loadRecording(net);
  const plan = planOf(net);
  const tools = plan.steps.filter((step): step is ToolStep => step.kind === "tool");

  it("is written in the assembly that the tools were given", () => {
    expect(plan.files.get("net.basm")).toBe(basm);
  });

  it("goes through the very commands that were recorded", () => {
    const ours = tools
      .filter(({ command }) => ["basm", "bondmachine"].includes(command))
      .map(({ command, args, folder = "." }) => ({ cwd: folder, args: [command, ...args] }));
    expect(ours).toEqual(commands.map(({ cwd, args }) => ({ cwd, args })));
  });

  it("is answered bit for bit", () => {
    const { width } = numberTypeOf(type);
    const signed = (words: readonly number[]) =>
      words.map((word) => Number(BigInt.asIntN(width, BigInt(word))));
    for (const row of vectors.rows) {
      const { output } = runReference(plan.reference!, signed(row.in));
      expect([...output]).toEqual(signed(row.out));
    }
  });

  it("is forecast in the cycles that it took, and never at less than the most", () => {
    const overhead = 5;
    const { latencyCycles = 0 } = plan.forecast;
    if (!numberTypeOf(type).float) {
      expect(latencyCycles - overhead).toBeGreaterThanOrEqual(vectors.cyclesMax);
      expect(latencyCycles - overhead - vectors.cyclesMax).toBeLessThanOrEqual(2);
    }
    expect(plan.core?.latencyCycles).toBeGreaterThan(vectors.cyclesMax);
  });
});

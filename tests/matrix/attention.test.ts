import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getEngine } from "@/engines";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// A block of a transformer with shell and top through every step of its plan, on each open family: its weight memories are
// written as it runs, which no other design does.

const engine = getEngine("boardwalk");
const provenRows = 3;

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

describe("attention of 12 tokens in two heads", { timeout: 1_200_000 }, () => {
  it.each([
    { board: "icebreaker", clockHz: 24e6, cells: ["ICESTORM_LC"] },
    { board: "ulx3s-25f", clockHz: 50e6, cells: ["TRELLIS_COMB"] },
    { board: "tang-nano-9k", clockHz: 27e6, cells: ["LUT4", "ALU"] },
    { board: "crosslink-nx-evn", clockHz: 50e6, cells: ["OXIDE_COMB"] },
  ])("is built and proven for $board", async ({ board, clockHz, cells }) => {
    const request = planRequest("iris-mlp", board, { card: null });
    const digest: `sha256:${string}` = `sha256:${createHash("sha256").update(board).digest("hex")}`;
    const graph = attentionNet({ tokens: 12, width: 8, heads: 2 });
    const plan = engine.plan({
      ...request,
      model: { ...request.model, graph, digest },
      options: { clockHz, lanes: 8 },
    });
    const [variant] = plan.variants;
    if (!variant) throw new Error("the plan builds nothing");
    for (const [name, content] of [...plan.files, ...variant.files])
      await bench.write(name, content);
    for (const step of [...plan.synthesis, ...variant.steps]) await bench.step(step);
    const { fmax, utilization } = JSON.parse(await bench.text("report.json")) as {
      fmax: Record<string, { achieved: number }>;
      utilization: Record<string, { used: number }>;
    };
    const reached = Math.min(...Object.values(fmax).map(({ achieved }) => achieved));
    expect(await bench.prove(plan, variant, provenRows)).toBe(provenRows);
    expect(reached * 1e6).toBeGreaterThanOrEqual(clockHz);
    const used = cells.reduce((sum, each) => sum + (utilization[each]?.used ?? 0), 0);
    const estimated = plan.forecast.resources.find(({ id }) => id === "lut")?.used ?? 0;
    expect(Math.abs(estimated / used - 1)).toBeLessThan(0.2);
  });
});

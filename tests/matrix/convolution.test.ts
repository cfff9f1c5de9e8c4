import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Graph } from "@/compiler";
import { getEngine } from "@/engines";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// Networks over images of 28 × 28 with shell and top, through every step of their plans.

const engine = getEngine("boardwalk");
const provenRows = 3;

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

function planOf(graph: Graph, board: string, clockHz: number, key: string) {
  const request = planRequest("iris-mlp", board, { card: null });
  const digest: `sha256:${string}` = `sha256:${createHash("sha256").update(key).digest("hex")}`;
  return engine.plan({
    ...request,
    model: { ...request.model, graph, digest },
    options: { clockHz, lanes: 8 },
  });
}

describe("convolutions over 28 × 28 pixels", { timeout: 1_200_000 }, () => {
  it.each([
    { board: "icebreaker", channels: [4, 8] as const, cycles: 8_300, clockHz: 36e6 },
    { board: "icebreaker", channels: [8, 16] as const, cycles: 25_300, clockHz: 36e6 },
    { board: "ice40-hx8k-evn", channels: [4, 8] as const, cycles: 8_300, clockHz: 36e6 },
  ])("$channels channels on $board: $cycles cycles at most, at $clockHz Hz", async (trial) => {
    const { board, channels, cycles, clockHz } = trial;
    const plan = planOf(imageNet(channels), board, clockHz, `${board} ${channels.join(" ")}`);
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
    expect(reached * 1e6).toBeGreaterThanOrEqual(clockHz);
    expect(plan.forecast.latencyCycles).toBeLessThanOrEqual(cycles);
    expect(await bench.prove(plan, variant, provenRows)).toBe(provenRows);
    const estimated = plan.forecast.resources.find(({ id }) => id === "lut")?.used ?? 0;
    const used = utilization["ICESTORM_LC"]?.used ?? Number.NaN;
    expect(Math.abs(estimated / used - 1)).toBeLessThan(0.2);
  });
});

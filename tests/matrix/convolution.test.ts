import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { placeGraph } from "../hardware/support/place-graph";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// Networks over images of 28 × 28 with shell and top, through every step of their plans.

const provenRows = 3;

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

describe("convolutions over 28 × 28 pixels", { timeout: 1_200_000 }, () => {
  it.each([
    { board: "icebreaker", channels: [4, 8] as const, cycles: 8_300, clockHz: 36e6 },
    { board: "icebreaker", channels: [8, 16] as const, cycles: 25_300, clockHz: 36e6 },
    { board: "ice40-hx8k-evn", channels: [4, 8] as const, cycles: 8_300, clockHz: 36e6 },
  ])("$channels channels on $board: $cycles cycles at most, at $clockHz Hz", async (trial) => {
    const { board, channels, cycles, clockHz } = trial;
    const key = `${board} ${channels.join(" ")}`;
    const placed = await placeGraph(bench, imageNet(channels), { board, clockHz, key });
    const { plan, variant, reachedHz, utilization, estimatedCells } = placed;
    expect(reachedHz).toBeGreaterThanOrEqual(clockHz);
    expect(plan.forecast.latencyCycles).toBeLessThanOrEqual(cycles);
    expect(await bench.prove(plan, variant, provenRows)).toBe(provenRows);
    const used = utilization["ICESTORM_LC"]?.used ?? Number.NaN;
    expect(Math.abs(estimatedCells / used - 1)).toBeLessThan(0.2);
  });
});

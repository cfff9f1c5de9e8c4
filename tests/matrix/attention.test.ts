import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { placeGraph } from "../hardware/support/place-graph";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// A block of a transformer with shell and top through every step of its plan, on each open family: its weight memories are
// written as it runs, which no other design does.

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
    const graph = attentionNet({ tokens: 12, width: 8, heads: 2 });
    const placed = await placeGraph(bench, graph, { board, clockHz, key: board });
    const { plan, variant, reachedHz, utilization, estimatedCells } = placed;
    expect(await bench.prove(plan, variant, provenRows)).toBe(provenRows);
    expect(reachedHz).toBeGreaterThanOrEqual(clockHz);
    const used = cells.reduce((sum, each) => sum + (utilization[each]?.used ?? 0), 0);
    expect(Math.abs(estimatedCells / used - 1)).toBeLessThan(0.2);
  });
});

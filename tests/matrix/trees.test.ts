import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { Graph } from "@/compiler";
import { targetOf } from "@/compiler";

import { boardwalkEngine as engine } from "@/engines/boardwalk";
import { coreFor } from "@/tests/support/compiler/core-for";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";
import { isTool, runFill, runTool, textOf } from "../hardware/support/tools";

/** Cells of the serial shell, which the estimate counts and a lone core does not have. */
const shellCells = 640;

interface Placed {
  readonly cells: number;
  readonly mhz: number;
}

const readReport = (text: string): Placed => {
  const { utilization, fmax } = JSON.parse(text) as {
    utilization: Record<string, { used: number }>;
    fmax: Record<string, { achieved: number }>;
  };
  return {
    cells: utilization["ICESTORM_LC"]?.used ?? Number.NaN,
    mhz: Math.min(...Object.values(fmax).map(({ achieved }) => achieved)),
  };
};

/** Places a core alone on the HX8K. */
async function placeCore(verilog: string): Promise<Placed> {
  const script = "read_verilog core.v; synth_ice40 -top core -json design.json";
  const { files } = await runTool("yosys", ["-q", "-p", script], { "core.v": verilog });
  const args = "--hx8k --package ct256 --json design.json --pcf-allow-unconstrained --seed 1";
  const placed = await runTool(
    "nextpnr-ice40",
    [...args.split(" "), "--report", "report.json", "--freq", "100", "--timing-allow-fail"],
    { "design.json": textOf(files, "design.json") },
  );
  return readReport(textOf(placed.files, "report.json"));
}

const full = (trees: number, depth: number): Graph =>
  randomTrees({ seed: 31 * trees + depth, trees, depth });

describe("tree cores on the HX8K", { timeout: 600_000 }, () => {
  const target = targetOf(getBoardModel("ice40-hx8k-evn"));
  it.each([
    { what: "10 trees of depth 3", graph: full(10, 3), cells: 500, cycles: 8 },
    { what: "50 trees of depth 3", graph: full(50, 3), cells: 1800, cycles: 10 },
    {
      what: "a forest of leaves for three classes",
      graph: loadTreeSample("wine-sklearn-forest/model.onnx").graph,
      cells: 1900,
      cycles: 9,
    },
    { what: "4 trees of depth 8", graph: full(4, 8), cells: 2880, cycles: 8 },
  ])("$what: at most $cells cells, $cycles cycles", async ({ graph, cells, cycles }) => {
    const { verilog, resources, latencyCycles } = coreFor(graph, target);
    const placed = await placeCore(verilog);
    expect(placed.cells).toBeLessThanOrEqual(cells);
    expect(placed.mhz).toBeGreaterThan(100);
    expect(latencyCycles).toBeLessThanOrEqual(cycles);
    expect(Math.abs((resources.lut - shellCells) / placed.cells - 1)).toBeLessThan(0.15);
  });
});

describe("trees with shell and top on the iCEBreaker", { timeout: 600_000 }, () => {
  it("breast-cancer-xgboost reaches 36 MHz, in the cells that were estimated", async () => {
    const { bytes, graph } = loadTreeSample("breast-cancer-xgboost/model.json");
    const request = planRequest("iris-mlp", "icebreaker", { card: null });
    const plan = engine.plan({
      ...request,
      model: { ...request.model, format: "xgboost-json", bytes, graph },
      options: { clockHz: 36_000_000 },
    });
    const [variant] = plan.variants;
    let folder = Object.fromEntries([...plan.files, ...(variant?.files ?? [])]);
    for (const step of [...plan.synthesis, ...(variant?.steps ?? [])]) {
      if (step.kind === "fill-blanks") folder = { ...runFill(step, folder) };
      if (step.kind !== "tool") continue;
      if (!isTool(step.command)) throw new Error(step.name);
      folder = { ...folder, ...(await runTool(step.command, step.args, folder)).files };
    }
    const { cells, mhz } = readReport(textOf(folder, "report.json"));
    expect(mhz).toBeGreaterThan(36);
    const [estimated] = plan.forecast.resources;
    expect(Math.abs((estimated?.used ?? 0) / cells - 1)).toBeLessThan(0.15);
  });
});

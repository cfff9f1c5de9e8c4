import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { lower } from "@/compiler";
import { unroll } from "@/compiler/architectures/unrolled/design-unrolled";
import { chain, gemm } from "@/tests/support/compiler/chain-graph";
import { runTool, textOf } from "../hardware/support/tools";

const next = { operator: "MatMul", inputs: ["x", "s"] };

/** Cells that Yosys makes of 3-2-2 with a function between, by type, beside what was estimated. */
async function mapped(operator: string, family: "ice40" | "ecp5", blocks: number) {
  const graph = chain([gemm, { operator }, next]);
  const { integerGraph } = lower({ graph, inputRange: null, calibration: null });
  const core = unroll(integerGraph, {
    costs: familyCosts(family),
    ram: { blocks, blockBits: 4096 },
  });
  const script = `read_verilog core.v; synth_${family} -top core; tee -q -o stat.json stat -json`;
  const { files } = await runTool("yosys", ["-q", "-p", script], { "core.v": core.emit() });
  const { design } = JSON.parse(textOf(files, "stat.json")) as {
    design: { num_cells_by_type: Record<string, number> };
  };
  return { cells: design.num_cells_by_type, estimate: core.estimate };
}

describe("tables between unrolled layers, mapped", () => {
  it.each([
    { family: "ice40" as const, type: "SB_RAM40_4K" },
    { family: "ecp5" as const, type: "DP16KD" },
  ])("lie in as many block RAMs of $family as were estimated", async ({ family, type }) => {
    const { cells, estimate } = await mapped("Tanh", family, 30);
    expect(estimate.bramBlocks).toBe(2);
    expect(cells[type]).toBe(2);
  });

  it.each(["Tanh", "Sigmoid"])("of %s are logic of about the size estimated", async (operator) => {
    const { cells, estimate } = await mapped(operator, "ice40", 0);
    expect(Object.keys(cells).filter((type) => type.includes("RAM"))).toEqual([]);
    const without = await mapped(operator, "ice40", 30);
    const tables = (cells["SB_LUT4"] ?? 0) - (without.cells["SB_LUT4"] ?? 0);
    const guessed = estimate.lut - without.estimate.lut;
    expect(guessed / tables).toBeGreaterThan(0.8);
    expect(guessed / tables).toBeLessThan(1.8);
  });
});

import { describe, expect, it } from "vitest";
import { randomNet } from "@/bench/compiler/random-net";
import { familyCosts } from "@/boards";
import { unroll } from "@/compiler/architectures/unrolled/design-unrolled";
import { runTool, textOf } from "./support/tools";

describe("16-8-8-5 at 8/6/8 bits, unrolled for HX8K", () => {
  it("is mapped to no more than was estimated, without multipliers and memories, and stays under 5,569 cells", async () => {
    const graph = randomNet({
      sizes: [16, 8, 8, 5],
      weightWidth: 6,
      activationWidth: 8,
      seed: 1,
    });
    const core = unroll(graph, { costs: familyCosts("ice40") });
    const script = "read_verilog core.v; synth_ice40 -top core; tee -q -o stat.json stat -json";
    const { files } = await runTool("yosys", ["-q", "-p", script], { "core.v": core.emit() });
    const { design } = JSON.parse(textOf(files, "stat.json")) as {
      design: { num_cells_by_type: Record<string, number> };
    };
    const cells = design.num_cells_by_type;
    const flipFlops = Object.entries(cells).reduce(
      (sum, [type, count]) => (type.startsWith("SB_DFF") ? sum + count : sum),
      0,
    );
    const tables = cells["SB_LUT4"] ?? 0;
    // Placed between shift registers, an earlier generator took 5,569; this is the least that these tables can take.
    expect(Math.max(tables, flipFlops)).toBeLessThan(5569);
    expect(Object.keys(cells).filter((type) => /RAM|MAC/.test(type))).toEqual([]);
    // A cell holds a table and a flip-flop; those that do not share one come on top.
    expect(core.estimate.lut).toBeGreaterThan(Math.max(tables, flipFlops) * 0.9);
    expect(core.estimate.lut).toBeLessThan(Math.max(tables, flipFlops) * 1.35);
    expect(core.estimate.flipFlops / flipFlops).toBeGreaterThan(0.9);
    expect(core.estimate.flipFlops / flipFlops).toBeLessThan(1.15);
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { mappedTrial, mappedTrialBench } from "../hardware/support/mapped-trial";
import { openWorkbench, type Workbench } from "../hardware/support/plan-runner";

// Block RAM and multipliers of most families are black boxes in Yosys. So they are held against what was written: one
// design with memories of every shape, as Verilog and as the cells that synthesis made of it, in Icarus.

const run = promisify(execFile);

describe.each([
  { board: "icebreaker", cells: ["SB_RAM40_4K", "SB_MAC16"] },
  { board: "ulx3s-25f", cells: ["DP16KD", "MULT18X18D", "TRELLIS_DPR16X4"] },
  { board: "tang-nano-9k", cells: ["SPX9", "MULT9X9", "RAM16SDP4"] },
  { board: "tang-primer-25k", cells: ["SDPX9B"] },
  { board: "crosslink-nx-evn", cells: ["PDPSC16K", "MULT9X9", "DPR16X4"] },
])("memories and products mapped for $board", { timeout: 600_000 }, ({ board, cells }) => {
  const { part } = getBoardModel(board);
  const { synthesis, modelledCells = "", tools } = getFamily(part);
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench();
  });
  afterAll(() => bench.close());

  it(`answer through ${cells.join(", ")} what was written`, async () => {
    await bench.write("top.v", mappedTrial);
    const script = `read_verilog top.v\n${synthesis(part, "top")}\n${modelledCells}\nrename top mapped\nselect mapped\nwrite_verilog -noattr -selected mapped.v\n`;
    await bench.write("map.ys", script);
    await bench.run({
      command: tools[0],
      args: ["-s", "map.ys"],
      reads: ["map.ys", "top.v"],
      produces: ["mapped.v"],
    });
    const mapped = await bench.text("mapped.v");
    for (const cell of cells) expect(mapped).toContain(`  ${cell} `);
    await bench.write("bench.v", mappedTrialBench);
    await bench.write("cells.v", cellModelsOf(part));
    const files = ["bench.v", "top.v", "mapped.v", "cells.v"];
    const options = { cwd: bench.folder, maxBuffer: 2 ** 26 };
    await run("iverilog", ["-g2012", "-s", "bench", "-o", "bench.vvp", ...files], options);
    const { stdout } = await run("vvp", ["-n", "bench.vvp"], options);
    const [compared, wrong] = stdout.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
    expect({ wrong, stdout }).toMatchObject({ wrong: 0 });
    expect(compared).toBeGreaterThan(1_000_000);
  });
});

import { describe, expect, it } from "vitest";
import { getBoardModel, getFamily } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { runIntegerGraph } from "@/compiler";
import { emitCore } from "@/compiler/architectures/array/emit";
import { laneMultipliers, multipliersOf } from "@/compiler/architectures/array/multipliers";
import { buildSchedule } from "@/compiler/architectures/array/schedule";
import { layerShapesOf } from "@/compiler/architectures/array/stages";
import { arrayPart, targetOf } from "@/compiler/target/part";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { createRandom } from "@/tests/simulator/support/random";
import { randomGraph } from "@/tests/support/compiler/random-graph";
import { runTool, textOf } from "../hardware/support/tools";

// Arrays as synthesis maps them: tables and shared multipliers must be in blocks, and still answer to the bit.

describe.each([
  { board: "icebreaker", lanes: 16, block: "SB_MAC16", blocks: 8, ram: "SB_RAM40_4K" },
  { board: "ulx3s-25f", lanes: 30, block: "MULT18X18D", blocks: 28, ram: "DP16KD" },
])("$lanes lanes with tables on $board", { timeout: 600_000 }, (trial) => {
  const board = getBoardModel(trial.board);
  const { part } = board;
  const graph = randomGraph([6, 32, 9, 30, 5], { seed: 41, relu: true, tables: "some" });
  const schedule = buildSchedule(layerShapesOf(graph), trial.lanes);
  const multipliers = laneMultipliers(trial.lanes, multipliersOf(arrayPart(targetOf(board))));
  const verilog = emitCore(graph, schedule, { constants: "block", result: "block", multipliers });
  const { synthesis, modelledCells = "" } = getFamily(part);

  it("takes the blocks it counted on, and answers like the integer graph", async () => {
    const mapped = await runTool("yosys", ["-q", "-s", "map.ys"], {
      "core.v": verilog,
      "map.ys": `read_verilog core.v\n${synthesis(part, "core", multipliers.paired)}\n`,
    });
    const design = textOf(mapped.files, "mapped.json");
    const { modules } = JSON.parse(design) as {
      modules: Record<string, { cells: Record<string, { type: string }> }>;
    };
    const types = Object.values(modules["core"]?.cells ?? {}).map(({ type }) => type);
    expect(types.filter((type) => type === trial.block)).toHaveLength(trial.blocks);
    // Weights, activations and the tables; a table of logic cells would be 1,024 × 8 bits of them.
    expect(types.filter((type) => type === trial.ram).length).toBeGreaterThan(trial.lanes / 2);

    const { files } = await runTool(
      "yosys",
      [
        "-q",
        "-p",
        `read_json design.json; delete =* =core %d; ${modelledCells}; read_verilog -defer cells.v; hierarchy -top core; proc; flatten; opt_expr; memory_collect; opt_mem; setattr -unset src; opt_clean -purge; write_json netlist.json`,
      ],
      { "design.json": design, "cells.v": cellModelsOf(part) },
    );
    const netlist: unknown = JSON.parse(textOf(files, "netlist.json"));
    const simulation = loadSimulation(compileNetlist(netlist, { top: "core" }).wasm);
    const runner = createCoreRunner(simulation, {
      inputBytes: graph.input.size,
      outputBytes: 2 * graph.output.size,
    });
    const random = createRandom(42);
    for (let index = 0; index < 30; index++) {
      const row = Int8Array.from({ length: graph.input.size }, () => random.below(256) - 128);
      const { output, cycles } = runner.run(row);
      expect([...new Int16Array(output.slice().buffer)]).toEqual([
        ...runIntegerGraph(graph, row).output,
      ]);
      expect(cycles).toBe(schedule.latencyCycles);
    }
  });
});

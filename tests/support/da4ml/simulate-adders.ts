import { getBoardModel } from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import type { IntegerGraph } from "@/compiler";
import { coreNetlistScript, coreSimulation } from "@/engines/fpga/steps";
import { countNetwork } from "@/engines/hls4ml/open/count-network";
import { estimateAdders } from "@/engines/hls4ml/open/estimate";
import { latencyOf } from "@/engines/hls4ml/open/latency";
import { makingOf } from "@/engines/hls4ml/open/making";
import { corePortOf } from "@/lib/common/core-io";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import type { Workbench } from "@/tests/hardware/support/plan-runner";

/** Adders of an integer graph as da4ml makes them, simulated. */
export interface SimulatedAdders {
  readonly stages: number;
  /** Results of a row, and the cycles that it took. */
  readonly run: (row: Int8Array) => { readonly values: number[]; readonly cycles: number };
  readonly latencyCycles: number;
}

/** Room for any network: what fits is not asked here. */
const room = { board: "a part without end", mostCells: 1e9, cellsPerBit: 1, cellsBesides: 0 };

/** @param levels Adders between registers. */
export async function simulateAdders(
  graph: IntegerGraph,
  { bench, levels }: { readonly bench: Workbench; readonly levels: number },
): Promise<SimulatedAdders> {
  const board = getBoardModel("ulx3s-85f");
  const { stages } = estimateAdders(countNetwork(graph), board, levels);
  const making = makingOf(graph, { stages, room });
  const files = new Map<string, string | Uint8Array>([
    ...making.files,
    ["core-netlist.ys", coreNetlistScript],
    ["cells.v", cellModelsOf(board.part)],
  ]);
  for (const [name, content] of files) await bench.write(name, content);
  for (const step of [...making.steps, ...coreSimulation([])]) await bench.step(step, "hls4ml");
  const latencyCycles = latencyOf(stages);
  const core = corePortOf(graph, latencyCycles);
  const runner = createCoreRunner(loadSimulation(await bench.bytes("simulation.wasm")), core);
  const { size } = graph.output;
  return {
    stages: JSON.parse(await bench.text("network.json")).stages,
    latencyCycles,
    run: (row) => {
      const { output, cycles } = runner.run(row);
      const bytes = Buffer.from(output);
      const { bytesPerOutput } = core;
      const values = Array.from({ length: size }, (_, at) =>
        bytes.readIntLE(at * bytesPerOutput, bytesPerOutput),
      );
      return { values, cycles };
    },
  };
}

/** Rows of a network: extremes first, then random ones. */
export function rowsFor(
  { input }: IntegerGraph,
  {
    count,
    integer,
  }: { readonly count: number; readonly integer: (low: number, high: number) => number },
): Int8Array[] {
  const filled = (value: number) => new Int8Array(input.size).fill(value);
  const random = () => Int8Array.from({ length: input.size }, () => integer(-128, 127));
  return [filled(0), filled(127), filled(-128), ...Array.from({ length: count - 3 }, random)];
}

import { readFile } from "node:fs/promises";
import { fail } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { createCoreRunner, createUartLine, loadSimulation, type Simulation } from "@/simulator/run";
import { nowNs } from "../clock";
import type { SimulationAnswer, SimulationRequest } from "./messages";
import { ShellSession } from "./shell-session";

/** Runs one row: output bytes and the cycles that the core counted. */
type RowRunner = (row: Uint8Array) => { readonly output: Uint8Array; readonly cycles: number };

let loaded: {
  readonly run: RowRunner;
  readonly inputBytes: number;
  readonly outputBytes: number;
} | null = null;

answerThread<SimulationRequest, SimulationAnswer>(async (request) => {
  if (request.kind === "load") {
    const simulation = loadSimulation(await readFile(request.path));
    const { inputBytes, outputBytes } = request.core;
    loaded = { run: open(simulation, request), inputBytes, outputBytes };
    return null;
  }
  if (!loaded) throw new Error("no simulation is loaded");
  return runRows(loaded, request.rows, request.count);
});

function open(
  simulation: Simulation,
  { core, link }: Extract<SimulationRequest, { kind: "load" }>,
): RowRunner {
  if (link.kind === "core") return createCoreRunner(simulation, core).run;
  const line = createUartLine(simulation, { clocksPerBit: link.clocksPerBit });
  const session = new ShellSession(line, { ...core, ...link });
  session.identify(link.planDigest);
  return (row) => session.infer(row);
}

function runRows(
  { run, inputBytes, outputBytes }: NonNullable<typeof loaded>,
  rows: Uint8Array,
  count: number,
): SimulationAnswer {
  if (rows.length !== count * inputBytes) {
    throw fail("INFER_INVALID", `${rows.length} bytes are not ${count} rows of ${inputBytes}`);
  }
  const outputs = new Uint8Array(count * outputBytes);
  const start = nowNs();
  let cycles = 0;
  for (let row = 0; row < count; row++) {
    const answer = run(rows.subarray(row * inputBytes, (row + 1) * inputBytes));
    outputs.set(answer.output, row * outputBytes);
    cycles += answer.cycles;
  }
  return { outputs, cycles, computeNs: nowNs() - start };
}

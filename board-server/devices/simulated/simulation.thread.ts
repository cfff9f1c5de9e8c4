import { readFile } from "node:fs/promises";
import { fail } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { createCoreRunner, createUartLine, loadSimulation, type Simulation } from "@/simulator/run";
import { nowNs } from "../clock";
import { coreModel } from "../core-model";
import type { CoreAnswer } from "../device";
import { type ServedSlot, serveSlot } from "../serve-slot";
import type { SimulationAnswer, SimulationRequest } from "./messages";
import { ShellSession } from "./shell-session";

/** Runs one row: output bytes and the cycles that the core counted. */
type RowRunner = (row: Uint8Array) => { readonly output: Uint8Array; readonly cycles: number };

interface Loaded {
  readonly run: RowRunner;
  readonly inputBytes: number;
  readonly outputBytes: number;
}

let loaded: Loaded | null = null;
let served: ServedSlot | null = null;

// The board server asks by messages; gateways of this host ask on a socket of this very thread, so that between them and
// the simulation there is no other thread to wake.

answerThread<SimulationRequest, SimulationAnswer>(async (request) => {
  if (request.kind === "load") {
    loaded = await load(request);
    return null;
  }
  if (request.kind === "leave") {
    await served?.leave();
    return null;
  }
  if (!loaded) throw new Error("no simulation is loaded");
  return runRows(loaded, request.rows, request.count);
});

async function load(request: Extract<SimulationRequest, { kind: "load" }>): Promise<Loaded> {
  const { path, manifest, direct } = request;
  const { inputBytes, outputBytes } = request.core;
  const simulation = loadSimulation(await readFile(path));
  const made: Loaded = { run: open(simulation, request), inputBytes, outputBytes };
  if (direct) {
    const model = coreModel(manifest, {
      simulated: true,
      run: async (rows, count) => runRows(made, rows, count),
      close: async () => {},
    });
    served = await serveSlot(direct, (inputs) => model.infer(inputs));
  }
  return made;
}

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
  { run, inputBytes, outputBytes }: Loaded,
  rows: Uint8Array,
  count: number,
): CoreAnswer {
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

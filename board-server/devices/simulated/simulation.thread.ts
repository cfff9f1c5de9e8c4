import { readFile } from "node:fs/promises";
import { SoftShell } from "@/boards/links/uart";
import type { Manifest } from "@/lib/common/contract";
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

interface Opened {
  readonly run: RowRunner;
  /** Puts bytes on the board's line; answers what the board says to them. */
  readonly speak: (bytes: Uint8Array) => Uint8Array;
}

interface Loaded extends Opened {
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
  if (request.kind === "line") return loaded.speak(request.bytes);
  return runRows(loaded, request.rows, request.count);
});

async function load(request: Extract<SimulationRequest, { kind: "load" }>): Promise<Loaded> {
  const { path, manifest, direct } = request;
  const { inputBytes, outputBytes } = request.core;
  const simulation = loadSimulation(await readFile(path));
  const made: Loaded = { ...open(simulation, request), inputBytes, outputBytes };
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
  { core, link, manifest }: Extract<SimulationRequest, { kind: "load" }>,
): Opened {
  if (link.kind === "core") {
    const { run } = createCoreRunner(simulation, core);
    const shell = new SoftShell(identityOf(manifest, core), run);
    return { run, speak: (bytes) => shell.push(bytes) };
  }
  const line = createUartLine(simulation, { clocksPerBit: link.clocksPerBit });
  const session = new ShellSession(line, { ...core, ...link });
  session.identify(link.planDigest);
  return { run: (row) => session.infer(row), speak: (bytes) => session.speak(bytes) };
}

/** What the board's shell would say of the design, which is simulated without one. */
function identityOf(
  { io, planDigest, clockHz = 0 }: Manifest,
  core: NonNullable<Manifest["core"]>,
) {
  const edge = (format: { width: number; fraction: number } | undefined, bytes: number) => ({
    width: format?.width ?? 8 * bytes,
    fraction: format?.fraction ?? 0,
  });
  const inputs = io.inputs.reduce((sum, { size }) => sum + size, 0);
  return {
    planDigest,
    core,
    input: edge(io.inputs[0]?.fixedPoint, Math.max(1, Math.floor(core.inputBytes / inputs))),
    output: edge(io.outputs[0]?.fixedPoint, core.bytesPerOutput),
    clockHz,
  };
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

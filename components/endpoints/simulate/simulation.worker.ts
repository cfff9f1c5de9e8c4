import { vectorsSchema } from "@/lib/common/contract";
import { type CoreShape, createCoreRunner, loadSimulation } from "@/simulator/run";
import { fetchVerified } from "./fetch-verified";
import type { Ask, FileToFetch, Goal, Tell } from "./messages";
import { Problem, toProblemData } from "./problem";
import { runVectors } from "./run-vectors";
import { SimulatedCore } from "./simulated-core";

// The page's own thread never runs a design: this one does, and looks up between slices of work for a word to stop.

interface Scope {
  postMessage(message: Tell, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Ask>) => void) | null;
}
const scope = globalThis as unknown as Scope;
const tell = (message: Tell, transfer: Transferable[] = []) => scope.postMessage(message, transfer);

const cyclesPerSlice = 5000;
const tellEveryMs = 200;
let loaded: { core: SimulatedCore; wasm: Uint8Array; shape: CoreShape } | null = null;
let stopped = false;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data: ask }) => {
  if (ask.kind === "stop") {
    stopped = true;
    return;
  }
  last = last.then(async () => {
    stopped = false;
    try {
      await answer(ask);
    } catch (error) {
      tell({ kind: "failed", asked: ask.kind, error: toProblemData(error) });
    }
  });
};

async function answer(ask: Exclude<Ask, { kind: "stop" }>): Promise<void> {
  switch (ask.kind) {
    case "load":
      return await load(ask);
    case "start":
      requireLoaded().core.start(ask.row);
      return tellProgress();
    case "advance":
      return await advance(ask.goal);
    case "vectors":
      return await answerVectors(ask.vectors);
    case "dump": {
      const parts = requireLoaded().core.dump(ask.clockHz, ask.comment);
      return tell({ kind: "dump", dump: new Blob([...parts], { type: "text/plain" }) });
    }
  }
}

async function load(ask: Extract<Ask, { kind: "load" }>): Promise<void> {
  requireWebAssembly();
  const { simulation, core: shape, afresh, row } = ask;
  const { sizeBytes } = simulation.file;
  const wasm = await fetchVerified(simulation, {
    afresh,
    onProgress: (receivedBytes) => tell({ kind: "download", receivedBytes, sizeBytes }),
  });
  const core = new SimulatedCore(wasm, shape);
  loaded = { core, wasm, shape };
  tell({ kind: "loaded", cells: core.cells, ended: row === null });
  if (!row) return;
  core.start(row);
  await advance("answer");
}

async function advance(goal: Goal): Promise<void> {
  const { core } = requireLoaded();
  try {
    for (let toldAt = performance.now(); !core.advance(goal, cyclesPerSlice); ) {
      await lookUp();
      if (stopped) break;
      if (performance.now() - toldAt < tellEveryMs) continue;
      toldAt = performance.now();
      tell({ kind: "progress", progress: core.progress, trace: null, ended: false });
    }
  } finally {
    // Of a core that fails, too, the wave shows how.
    tellProgress();
  }
}

function tellProgress(): void {
  const { progress, trace } = requireLoaded().core;
  const buffers = trace.signals.flatMap(({ cycles, values }) => [cycles.buffer, values.buffer]);
  tell({ kind: "progress", progress, trace, ended: true }, buffers);
}

async function answerVectors(source: FileToFetch): Promise<void> {
  const { wasm, shape } = requireLoaded();
  const text = new TextDecoder().decode(await fetchVerified(source));
  const vectors = vectorsSchema.parse(JSON.parse(text));
  // A second instance, so that the wave stays what it is.
  const runner = createCoreRunner(loadSimulation(wasm), shape);
  await runVectors(vectors, {
    run: (row) => runner.run(row),
    shape,
    isStopped: () => stopped,
    pause: lookUp,
    onProgress: (progress, ended) => tell({ kind: "vectors", progress, ended }),
  });
}

function requireLoaded(): NonNullable<typeof loaded> {
  if (!loaded) throw new Error("no simulation is loaded");
  return loaded;
}

/** Lets messages that wait be read. */
const lookUp = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/**
 * Compiles the shortest module there is.
 * @throws {Problem} `WEBASSEMBLY_UNAVAILABLE` where browser or portal forbid it.
 */
function requireWebAssembly(): void {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  } catch (cause) {
    throw new Problem("noWebAssembly", {}, cause);
  }
}

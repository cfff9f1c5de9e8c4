import { type Reference, runReference, type Tap, wordsOfRow } from "@/engines";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { answerThread } from "@/lib/server/process";
import { createCoreRunner, loadSimulation, type Simulation } from "@/simulator/run";
import { readProduct } from "../tools/products";
import { keepsSchedule, scheduleOf } from "./schedule";

export interface VerifyTask {
  readonly work: string;
  /** The simulated core. */
  readonly simulation: string;
  readonly core: NonNullable<Manifest["core"]>;
  readonly reference: Reference;
  readonly taps: readonly Tap[];
  readonly vectors: readonly Int8Array[];
}

export interface VerifyAnswer {
  /** What every level must answer: the rows' output bytes, one after the other. */
  readonly outputs: Uint8Array;
  /** The most cycles that any row took. */
  readonly mostCycles: number;
  readonly simulatedCycles: number;
  readonly simulatedMs: number;
}

/** Looking at a signal costs about as much as simulating a cycle; beyond this, every n-th row is looked into. */
const tapBudget = 4_000_000;
const speedLimitMs = 300;

answerThread((task: VerifyTask): VerifyAnswer => {
  const { core, vectors, taps, reference } = task;
  const simulation = loadSimulation(readProduct(task.work, task.simulation));
  const runner = createCoreRunner(simulation, core);
  const look = orderTaps(reference, taps);
  const every = Math.max(1, Math.ceil((look.length * vectors.length) / tapBudget));
  const outputs = new Uint8Array(vectors.length * core.outputBytes);
  let mostCycles = 0;

  for (const [index, row] of vectors.entries()) {
    const expected = runReference(reference, wordsOfRow(reference, row));
    const bytes = packOutput(expected.output, core);
    outputs.set(bytes, index * core.outputBytes);
    const observed = runner.runWithTaps(row, index % every === 0 ? look : []);
    const answered = Buffer.compare(observed.output, bytes) === 0;
    const seen =
      index % every === 0 || answered ? observed.values : runner.runWithTaps(row, look).values;
    const wrong = firstDifference({ simulation, taps: look, values: seen, nodes: expected.nodes });
    if (wrong)
      throw differs(wrong.tap.node, { ...wrong, element: wrong.tap.element, vector: index });
    if (!answered) {
      const element = Math.floor(
        bytes.findIndex((byte, at) => byte !== observed.output[at]) / core.bytesPerOutput,
      );
      const got = unpackOutput(observed.output, core)[element] ?? 0;
      throw differs(reference.output.name, {
        element,
        vector: index,
        expected: expected.output[element] ?? 0,
        got,
      });
    }
    mostCycles = Math.max(mostCycles, observed.cycles);
    if (!keepsSchedule(core, observed.cycles)) {
      throw fail(
        "VERIFICATION_FAILED",
        `The core took ${observed.cycles} cycles for vector ${index}, its schedule says ${scheduleOf(core)}.`,
        { details: { vector: index, cycles: observed.cycles, scheduled: core.latencyCycles } },
      );
    }
  }
  return { outputs, mostCycles, ...speedOf(runner, task) };
});

/** How fast the simulator is when nobody looks inside. */
function speedOf(
  runner: ReturnType<typeof createCoreRunner>,
  { core, vectors }: Pick<VerifyTask, "core" | "vectors">,
) {
  const started = performance.now();
  let simulatedCycles = 0;
  for (const row of vectors) {
    simulatedCycles += core.inputBytes + runner.run(row).cycles + core.outputBytes;
    if (performance.now() - started > speedLimitMs) break;
  }
  return { simulatedCycles, simulatedMs: performance.now() - started };
}

/** Taps in the order of the graph, so that the first that differs is where the fault is. */
function orderTaps(graph: Reference, taps: readonly Tap[]): Tap[] {
  const place = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  const rank = ({ node }: Tap) => place.get(node) ?? graph.nodes.length;
  return [...taps].sort((a, b) => rank(a) - rank(b) || a.element - b.element);
}

function firstDifference({
  simulation,
  taps,
  values,
  nodes,
}: {
  readonly simulation: Simulation;
  readonly taps: readonly Tap[];
  readonly values: readonly bigint[];
  readonly nodes: ReadonlyMap<string, readonly number[]>;
}): { tap: Tap; expected: number; got: number } | null {
  const { signals, ports } = simulation.interface;
  for (const [index, value] of values.entries()) {
    const tap = taps[index];
    const expected = tap && nodes.get(tap.node)?.[tap.element];
    if (tap === undefined || expected === undefined) continue;
    const width = [...signals, ...ports].find(({ name }) => name === tap.signal)?.width ?? 64;
    const { offset = 0 } = tap;
    if (BigInt.asUintN(width, BigInt(expected + offset)) === value) continue;
    const got = Number(expected + offset < 0 ? BigInt.asIntN(width, value) : value) - offset;
    return { tap, expected, got };
  }
  return null;
}

function differs(
  node: string,
  at: {
    readonly element: number;
    readonly vector: number;
    readonly expected: number;
    readonly got: number;
  },
) {
  const { element, vector, expected, got } = at;
  return fail(
    "VERIFICATION_FAILED",
    `The compiled design differs from the model first at node ${node}, element ${element}: vector ${vector} gives ${got}, not ${expected}.`,
    {
      hint: "This is a fault of the compiler or of a tool, not of the model. Please report it.",
      details: { node, element, vector, expected, got },
    },
  );
}

type Core = VerifyTask["core"];

/** Little-endian, signed, `bytesPerOutput` each. */
function packOutput(values: ArrayLike<number>, { outputBytes, bytesPerOutput }: Core): Uint8Array {
  const bytes = Buffer.alloc(outputBytes);
  for (let i = 0; i < values.length; i++) {
    bytes.writeIntLE(values[i] ?? 0, i * bytesPerOutput, bytesPerOutput);
  }
  return bytes;
}

function unpackOutput(bytes: Uint8Array, { outputBytes, bytesPerOutput }: Core): number[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: outputBytes / bytesPerOutput }, (_, index) =>
    buffer.readIntLE(index * bytesPerOutput, bytesPerOutput),
  );
}

import { beforeAll, describe, expect, it } from "vitest";
import {
  encodeFrame,
  FrameDecoder,
  type FrameKind,
  frameKinds,
  parseIdentity,
  parseResult,
} from "@/boards/links/uart";
import { getEngine, runReference } from "@/engines";
import { isAppError } from "@/lib/common/errors";
import { compileNetlist } from "@/simulator/compile";
import { createUartLine, loadSimulation } from "@/simulator/run";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { type LineEvent, runIcarusLine } from "./support/icarus-line";
import { isTool, runTool, textOf } from "./support/tools";

const clockHz = 12e6;
const plan = getEngine("boardwalk").plan(
  planRequest("iris-mlp", "icebreaker", { options: { simulate: "shell", clockHz } }),
);
const [variant] = plan.variants;
const files = Object.fromEntries([...plan.files, ...(variant?.files ?? [])]);
const clocksPerBit = clockHz / (plan.baud ?? 0);
/** The shell's own: it forgets half a frame after 2^20 clocks, which are 22 ms at the board's highest clock. */
const idleBits = 20;

const frame = (kind: FrameKind, sequence: number, payload: Uint8Array) =>
  encodeFrame({ kind, sequence, payload });
const rowOf = (i: number) => plan.vectors[i] ?? new Int8Array(0);
const infer = (i: number) => frame(frameKinds.infer, i, new Uint8Array(rowOf(i)));
const garbled = infer(0).map((byte, i) => (i === 5 ? byte ^ 0x40 || 0x41 : byte));

/** Everything that can happen on a line, answered rows in between. */
const events: readonly LineEvent[] = [
  { send: frame(frameKinds.identityRequest, 255, new Uint8Array(0)) },
  { pauseBits: 900 },
  { send: infer(1) },
  { send: infer(2) },
  { pauseBits: 400 },
  { send: garbled },
  { send: infer(3) },
  { pauseBits: 400 },
  { send: infer(4).subarray(0, 4) },
  { pauseBits: Math.ceil(2 ** idleBits / clocksPerBit) + 10 },
  { send: infer(5) },
  { pauseBits: 400 },
  { send: frame(frameKinds.result, 6, new Uint8Array(4)) },
  { pauseBits: 200 },
  { send: frame(frameKinds.infer, 7, new Uint8Array(3)) },
  { pauseBits: 200 },
  { send: Uint8Array.of(0x55, 0xff, 1, 2, 0, 0) },
  ...[8, 9, 10, 11].flatMap((i) => [{ send: infer(i) }, { pauseBits: 400 }]),
];

/** Plays the events to the shell that the worker would compile, in our simulator. */
async function runSimulated(): Promise<Uint8Array> {
  const step = variant?.steps.find(({ name }) => name === "shell netlist");
  if (step?.kind !== "tool" || !isTool(step.command)) throw new Error("the plan has no shell");
  const netlist = await runTool(step.command, step.args, files);
  const text = textOf(netlist.files, step.produces[0] ?? "");
  const simulation = loadSimulation(compileNetlist(text, { top: "shell" }).wasm);
  const line = createUartLine(simulation, { clocksPerBit });
  simulation.set("rst", 1);
  simulation.step(200);
  simulation.set("rst", 0);
  for (const event of events) {
    if ("send" in event) line.send(event.send);
    if ("pauseBits" in event) line.idle(event.pauseBits * clocksPerBit);
  }
  const bytes: number[] = [];
  try {
    for (;;) bytes.push(...line.receiveUntil(0, 500 * clocksPerBit));
  } catch (error) {
    if (!isAppError(error) || error.reason !== "LINK_FAILED") throw error;
  }
  return Uint8Array.from(bytes);
}

describe("the shell around the core of iris-mlp", () => {
  let simulated = new Uint8Array(0);

  beforeAll(async () => {
    simulated = new Uint8Array(await runSimulated());
  }, 300_000);

  it("answers every good frame, in order, and nothing else", () => {
    const decoder = new FrameDecoder();
    const frames = decoder.push(simulated);
    expect(decoder.dropped).toBe(0);
    expect(frames.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      [frameKinds.identity, 255],
      ...[1, 2, 3, 5].map((i) => [frameKinds.result, i]),
      ...[6, 7].map((i) => [frameKinds.error, i]),
      ...[8, 9, 10, 11].map((i) => [frameKinds.result, i]),
    ]);
  });

  it("names the plan it was built from", () => {
    const [first] = new FrameDecoder().push(simulated);
    const identity = parseIdentity(first?.payload ?? new Uint8Array(0));
    expect(identity).toMatchObject({ planDigest: plan.digest, clockHz, core: { inputBytes: 4 } });
  });

  it("gives the integer graph's answers and the core's cycle count", () => {
    const { reference, core } = plan;
    if (reference === null || core === undefined) throw new Error("firmware has a reference");
    for (const { kind, sequence, payload } of new FrameDecoder().push(simulated)) {
      if (kind !== frameKinds.result) continue;
      const { output, cycles } = parseResult(payload, core.outputBytes);
      const values = new Int16Array(output.buffer, output.byteOffset, output.length / 2);
      expect([...values]).toEqual([...runReference(reference, rowOf(sequence)).output]);
      expect(cycles).toBe(core.latencyCycles);
    }
  });

  it("says byte for byte the same in Icarus", async () => {
    const sources = ["core.v", "shell.v", "identity.v", "tables.v"].map((name) =>
      String(files[name]),
    );
    const bytes = await runIcarusLine({ sources, clocksPerBit, idleBits, events });
    expect(bytes).toEqual(simulated);
  });
});

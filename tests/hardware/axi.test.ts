import { beforeAll, describe, expect, it } from "vitest";
import { axiMagic, axiOffsets } from "@/boards/links/axi";
import { getEngine, runReference } from "@/engines";
import { compileNetlist } from "@/simulator/compile";
import { loadSimulation } from "@/simulator/run";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { type BusAnswer, type BusEvent, type BusRun, runIcarusBus } from "./support/icarus-axi";
import { runSimulatedBus } from "./support/simulated-axi";
import { runTool, textOf } from "./support/tools";

// A bus master around boardwalk_axi with a compiled core, in Icarus Verilog and in our own simulator.

const plan = getEngine("boardwalk").plan(
  planRequest("iris-mlp", "pynq-z2", { options: { architecture: "array" } }),
);
const [variant] = plan.variants;
const { core, reference } = plan;
if (!variant || !core || !reference) throw new Error("the plan has no firmware");
const files = Object.fromEntries([...plan.files, ...variant.files]);
const sources = ["axi.v", "identity.v", "tables.v", "core.v"].map((name) => String(files[name]));

const vectorOf = (index: number) => plan.vectors[index] ?? new Int8Array(0);
const send = (row: Int8Array, gap = 0): BusEvent[] =>
  [...row].map((byte, at) => ({ send: byte & 0xff, last: at === row.length - 1, gap }));
const receive = (bytes: number, gap = 0): BusEvent[] =>
  Array.from({ length: bytes }, () => ({ receive: true, gap }));

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const read = (value: number): BusAnswer => `read 1 ${hex(value, 8)}`;

/** The bytes that the integer graph answers to a vector. */
function bytesOf(index: number): number[] {
  const { output } = runReference(reference as NonNullable<typeof reference>, vectorOf(index));
  const bytes = Buffer.alloc(core?.outputBytes ?? 0);
  for (const [at, value] of Array.from(output).entries())
    bytes.writeIntLE(value, at * (core?.bytesPerOutput ?? 1), core?.bytesPerOutput ?? 1);
  return [...bytes];
}
const answerOf = (index: number): BusAnswer[] =>
  bytesOf(index).map((byte, at, all) => `byte ${Number(at === all.length - 1)} ${hex(byte, 2)}`);
const { outputBytes, inputBytes, latencyCycles } = core;

interface Scene {
  readonly what: string;
  readonly events: readonly BusEvent[];
  readonly answers: readonly BusAnswer[];
}

const status = { wrongLength: 1 << 6, discarding: 1 << 5, inRow: 1 << 2, inAnswer: 1 << 3 };
const wait: BusEvent = { idle: 40 };

const scenes: readonly Scene[] = [
  {
    what: "tells who it is",
    events: [
      { read: axiOffsets.magic },
      { read: axiOffsets.version, gap: 5 },
      { read: axiOffsets.input_bytes },
      { read: axiOffsets.output_bytes },
      ...Array.from({ length: 8 }, (_, word) => ({ read: axiOffsets.identity + 4 * word })),
    ],
    answers: [
      ...[axiMagic, 1, inputBytes, outputBytes].map(read),
      ...Array.from({ length: 8 }, (_, word) => {
        const bytes = Buffer.from(plan.digest.replace("sha256:", ""), "hex");
        return read(bytes.readUInt32LE(4 * word));
      }),
    ],
  },
  {
    what: "answers rows through its streams, and counts their cycles",
    events: [
      ...[3, 4].flatMap((at) => [...send(vectorOf(at)), ...receive(outputBytes)]),
      { read: axiOffsets.cycles },
      { read: axiOffsets.rows },
    ],
    answers: [...answerOf(3), ...answerOf(4), read(latencyCycles), read(2)],
  },
  {
    what: "keeps an answer while nobody takes it, and takes rows with pauses",
    events: [...send(vectorOf(5), 7), { idle: 3000 }, ...receive(outputBytes, 9)],
    answers: answerOf(5),
  },
  {
    what: "drops rows of a wrong length, says so, and answers the next",
    events: [
      ...send(vectorOf(3).subarray(1)),
      ...send(Int8Array.of(...vectorOf(3), 1, 2)),
      { receive: true, within: 5000 },
      { read: axiOffsets.wrong_rows },
      { read: axiOffsets.status },
      { write: axiOffsets.status, value: status.wrongLength },
      { read: axiOffsets.status },
      ...send(vectorOf(6)),
      ...receive(outputBytes),
    ],
    answers: ["nothing", read(2), read(status.wrongLength), "wrote 1", read(0), ...answerOf(6)],
  },
  {
    what: "drops the rest of a row after a reset in its middle",
    events: [
      ...send(vectorOf(3)).slice(0, 2),
      { read: axiOffsets.status },
      { write: axiOffsets.control, value: 1 },
      wait,
      { read: axiOffsets.status },
      ...send(vectorOf(3)).slice(2),
      { receive: true, within: 5000 },
      { read: axiOffsets.wrong_rows },
      ...send(vectorOf(7)),
      ...receive(outputBytes),
    ],
    answers: [
      read(status.inRow),
      "wrote 1",
      read(status.discarding),
      "nothing",
      read(0),
      ...answerOf(7),
    ],
  },
  {
    what: "waits for no rest after a second reset",
    events: [
      ...send(vectorOf(3)).slice(0, 2),
      { write: axiOffsets.control, value: 1 },
      wait,
      { write: axiOffsets.control, value: 1, dataFirst: true },
      wait,
      { read: axiOffsets.status },
      ...send(vectorOf(8)),
      ...receive(outputBytes),
    ],
    answers: ["wrote 1", "wrote 1", read(0), ...answerOf(8)],
  },
  {
    what: "ends an answer early that a reset cut off, and keeps the byte it had offered",
    events: [
      ...send(vectorOf(3)),
      ...receive(2),
      { idle: 100 },
      { read: axiOffsets.status },
      { write: axiOffsets.control, value: 1 },
      wait,
      ...receive(2),
      { receive: true, within: 5000 },
      ...send(vectorOf(9)),
      ...receive(outputBytes),
    ],
    answers: [
      ...answerOf(3).slice(0, 2),
      read(status.inAnswer),
      "wrote 1",
      ...answerOf(3).slice(2, 3),
      "byte 1 00",
      "nothing",
      ...answerOf(9),
    ],
  },
  {
    what: "takes rows by its registers too, and refuses a byte that does not fit",
    events: [
      { write: axiOffsets.data_in, value: 1 },
      { write: axiOffsets.control, value: 2 },
      wait,
      { read: axiOffsets.control },
      { read: axiOffsets.status },
      { read: axiOffsets.data_out },
      ...[...vectorOf(10)].map((byte, at) => ({
        write: axiOffsets.data_in,
        value: (byte & 0xff) | (at === inputBytes - 1 ? 256 : 0),
      })),
      { idle: 3000 },
      ...Array.from({ length: outputBytes }, () => ({ read: axiOffsets.data_out })),
      { read: axiOffsets.data_out },
      { receive: true, within: 100 },
      { write: axiOffsets.control, value: 0 },
      wait,
      ...send(vectorOf(11)),
      ...receive(outputBytes),
    ],
    answers: [
      "wrote 0",
      "wrote 1",
      read(2),
      read(1),
      read(0),
      ...Array.from({ length: inputBytes }, () => "wrote 1"),
      ...bytesOf(10).map((byte, at) => read(512 | (at === outputBytes - 1 ? 256 : 0) | byte)),
      read(0),
      "nothing",
      "wrote 1",
      ...answerOf(11),
    ],
  },
  {
    what: "refuses addresses that mean nothing, and writes to what is only read",
    events: [
      { read: 0x3c },
      { read: 0x400 },
      { write: axiOffsets.magic, value: 7 },
      { write: 0x800, value: 7 },
    ],
    answers: ["read 0 00000000", "read 0 00000000", "wrote 0", "wrote 0"],
  },
  {
    what: "forgets everything at its reset pin, in the middle of a row",
    events: [
      ...send(vectorOf(3)).slice(0, 3),
      { reset: 20 },
      { read: axiOffsets.status },
      { read: axiOffsets.rows },
      ...send(vectorOf(12)),
      ...receive(outputBytes),
    ],
    answers: [read(0), read(0), ...answerOf(12)],
  },
];

async function simulate() {
  const script =
    "read_verilog axi.v identity.v tables.v core.v; hierarchy -check -top boardwalk_axi; proc; flatten; memory_collect; opt_clean; write_json axi.json";
  const made = await runTool("yosys", ["-q", "-p", script], files);
  return compileNetlist(textOf(made.files, "axi.json"), { top: "boardwalk_axi" }).wasm;
}

describe("boardwalk_axi around the core of iris-mlp", { timeout: 300_000 }, () => {
  let wasm: Uint8Array;
  const icarus = new Map<string, BusRun>();

  beforeAll(async () => {
    wasm = await simulate();
    for (const { what, events } of scenes) icarus.set(what, await runIcarusBus(sources, events));
  }, 300_000);

  it.each(scenes)("$what, in Icarus Verilog", ({ what, answers }) => {
    expect(icarus.get(what)?.answers).toEqual(answers);
  });

  it.each(scenes)("$what, in our simulator", ({ events, answers }) => {
    expect(runSimulatedBus(loadSimulation(wasm), events)).toEqual(answers);
  });

  it.each(scenes)("breaks no rule of the bus while it $what", ({ what }) => {
    expect(icarus.get(what)?.violations).toBe(0);
  });

  it("is seen when it takes back what it offered", async () => {
    const [axi = "", ...others] = sources;
    const broken = axi.replace(
      "assign m_axis_tvalid = held && held_streams;",
      "assign m_axis_tvalid = held && held_streams && cycle[0]; reg [1:0] cycle = 0; always @(posedge aclk) cycle <= cycle + 1'b1;",
    );
    const scene = scenes[2];
    const { violations } = await runIcarusBus([broken, ...others], scene?.events ?? []);
    expect(violations).toBeGreaterThan(0);
  });
});

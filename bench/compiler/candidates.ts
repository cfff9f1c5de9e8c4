import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { familyCosts } from "@/boards";
import { type IntegerGraph, runIntegerGraph } from "@/compiler";
import { unroll } from "@/compiler/architectures/unrolled/design-unrolled";
import { randomFrom } from "@/compiler/random";
import type { Candidate } from "./measure";

/** A candidate with the cycles from its pins to its answer; both have a register behind the pins and one before them. */
export interface Timed extends Candidate {
  readonly cycles: number;
}

const folder = resolve(process.env["TOOLS_DIR"] ?? ".boardwalk/tools", "peers/da4ml");
const python = join(folder, "bin/python");

/** Our `network`, its row held in registers. */
export function ourCandidate(graph: IntegerGraph, family: string, registerEvery: number): Timed {
  const core = unroll(graph, { costs: familyCosts(family), registerEvery });
  const { size, width } = graph.input;
  const inputs = Array.from(
    { length: size },
    (_, index) => `.x${index}(held[${(index + 1) * width - 1}:${index * width}])`,
  );
  const answers = Array.from(
    { length: graph.output.size },
    (_, index) =>
      `.y${index}(answer[${(index + 1) * graph.output.width - 1}:${index * graph.output.width}])`,
  );
  return {
    name: "boardwalk",
    sources: { "core.v": core.emit() },
    inputBits: size * width,
    outputBits: graph.output.size * graph.output.width,
    instance: `  reg [${size * width - 1}:0] held;
  always @(posedge clk) held <= row;
  network network (.clk(clk), ${[...inputs, ...answers].join(", ")});`,
    // The core counts its own two registers, after the row's and after the answer's, besides those of the network.
    cycles: core.latencyCycles - 1,
  };
}

/**
 * What da4ml makes of the same graph, after holding its answers to random rows against the integer graph's.
 *
 * @param cutoff Adder levels between registers.
 */
export function da4mlCandidate(graph: IntegerGraph, cutoff: number): Timed {
  if (!existsSync(python)) throw new Error("da4ml is not installed: npm run setup -- peers");
  const work = mkdtempSync(join(tmpdir(), "bw-bench-da4ml-"));
  try {
    const random = randomFrom(7);
    const rows = Array.from({ length: 200 }, () =>
      Array.from({ length: graph.input.size }, () => random.integer(-128, 127)),
    );
    writeFileSync(join(work, "graph.json"), JSON.stringify(graph));
    writeFileSync(join(work, "rows.json"), JSON.stringify(rows));
    const script = join(import.meta.dirname, "../peers/da4ml_peer.py");
    const printed = execFileSync(
      python,
      [script, "graph.json", "out", String(cutoff), "rows.json"],
      { cwd: work, encoding: "utf8" },
    );
    const answers = JSON.parse(printed.trim().split("\n").at(-1) ?? "[]") as number[][];
    for (const [index, row] of rows.entries()) {
      const { output } = runIntegerGraph(graph, row);
      if (answers[index]?.join() !== output.join())
        throw new Error(`da4ml differs on row ${index}`);
    }
    return readCandidate(join(work, "out/src"));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export function da4mlVersion(): string {
  const script = "import importlib.metadata as m; print(m.version('da4ml'))";
  return execFileSync(python, ["-c", script], { encoding: "utf8" }).trim();
}

function readCandidate(source: string): Timed {
  const files = [
    ...readdirSync(source)
      .filter((name) => name.endsWith(".v") && !name.endsWith("_wrapper.v"))
      .map((name) => join(source, name)),
    // The table module is not used and cannot be read without its contents.
    ...readdirSync(join(source, "static"))
      .filter((name) => name !== "lookup_table.v")
      .map((name) => join(source, "static", name)),
  ];
  const top = readFileSync(join(source, "peer.v"), "utf8");
  const bitsOf = (port: string) =>
    Number(new RegExp(`\\[(\\d+):0\\] ${port}\\b`).exec(top)?.[1] ?? Number.NaN) + 1;
  const stages = new Set(top.match(/\bstage\d+_inp\b/g));
  return {
    name: "da4ml",
    sources: Object.fromEntries(
      files.map((file) => [
        file.slice(source.length + 1).replace("/", "_"),
        readFileSync(file, "utf8"),
      ]),
    ),
    inputBits: bitsOf("model_inp"),
    outputBits: bitsOf("model_out"),
    instance: "  peer peer (.clk(clk), .model_inp(row), .model_out(answer));",
    cycles: stages.size + 1,
  };
}

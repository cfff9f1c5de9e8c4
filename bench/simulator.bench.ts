import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getBoardModel } from "@/boards";
import { targetOf } from "@/compiler";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { digitsCore } from "@/tests/simulator/support/digits-core";
import { netlistOf } from "@/tests/simulator/support/tools";
import { coreFor } from "@/tests/support/compiler/core-for";
import { imageNet } from "@/tests/support/compiler/map-graph";
import { loadSample } from "@/tests/support/compiler/samples";
import { loadTreeSample } from "@/tests/support/compiler/tree-samples";

/**
 * Cycles per processor second of our simulator beside Verilator, on one core of each architecture answering the same rows.
 * Run with `npm run bench -- simulator`; needs Verilator, make and a C++ compiler on PATH.
 */
const cyclesPerRun = 20_000_000;

interface Design {
  readonly name: string;
  readonly verilog: string;
  readonly vectors: readonly Int8Array[];
  readonly inputBytes: number;
  readonly outputBytes: number;
}

for (const design of designs()) {
  const ours = await measureOurs(design);
  const verilator = measureVerilator(design, ours.rows);
  if (ours.checksum !== verilator.checksum) {
    throw new Error(`The two simulators answer ${design.name} differently.`);
  }
  const cyclesPerRow = verilator.cycles / ours.rows;
  const speed = (rowsPerS: number): string =>
    `${((rowsPerS * cyclesPerRow) / 1e6).toFixed(2)} M cycles/s`;
  console.log(`${design.name}, ${cyclesPerRow.toFixed(0)} cycles a row`);
  console.log(
    `  ours:      ${speed(ours.rowsPerS)}; Yosys ${ours.yosysMs.toFixed(0)} ms, compile ${ours.compileMs.toFixed(0)} ms (${ours.cells} cells, ${ours.bytes} bytes)`,
  );
  console.log(
    `  Verilator: ${speed(verilator.rowsPerS)}; build ${(verilator.buildMs / 1000).toFixed(1)} s`,
  );
  console.log(`  ratio ours / Verilator: ${(ours.rowsPerS / verilator.rowsPerS).toFixed(2)}`);
}

function designs(): Design[] {
  const digits = digitsCore();
  const large = targetOf(getBoardModel("ulx3s-85f"));
  const made = (
    name: string,
    {
      graph,
      verilog,
      vectors,
    }: Pick<ReturnType<typeof coreFor>, "graph" | "verilog"> & {
      readonly vectors: readonly Int8Array[];
    },
  ): Design => ({
    name,
    verilog,
    vectors,
    inputBytes: graph.input.size,
    outputBytes: (graph.output.width / 8) * graph.output.size,
  });
  const cored = (name: string, ...request: Parameters<typeof coreFor>): Design => {
    const core = coreFor(...request);
    return made(name, { ...core, vectors: core.vectors() });
  };
  return [
    made(`array: digits-mlp, ${digits.design.schedule.lanes} lanes`, {
      graph: digits.graph,
      verilog: digits.design.verilog,
      vectors: digits.vectors,
    }),
    cored("unrolled: iris-mlp", loadSample("iris-mlp").graph, large, { architecture: "unrolled" }),
    cored("walk: a convolution of 8 and 16 channels", imageNet([8, 16]), large),
    cored(
      "trees: wine-sklearn-forest",
      loadTreeSample("wine-sklearn-forest/model.onnx").graph,
      large,
    ),
  ];
}

async function measureOurs({ verilog, vectors, inputBytes, outputBytes }: Design) {
  const beforeYosys = processorMs();
  const netlist = await netlistOf({ "core.v": verilog });
  const yosysMs = processorMs() - beforeYosys;
  const beforeCompile = processorMs();
  const { wasm, cells } = compileNetlist(netlist, { top: "core" });
  const runner = createCoreRunner(loadSimulation(wasm), { inputBytes, outputBytes });
  const compileMs = processorMs() - beforeCompile;

  const { cycles } = runner.run(rowAt(vectors, 0));
  const rows = Math.ceil(cyclesPerRun / (inputBytes + cycles + outputBytes));
  let checksum = 0;
  const answer = (count: number): void => {
    for (let row = 0; row < count; row++) {
      const { output } = runner.run(rowAt(vectors, row));
      for (const byte of output) checksum = (checksum * 31 + byte) >>> 0;
    }
  };
  // The first tenth is for the engine's compiler.
  answer(Math.ceil(rows / 10));
  checksum = 0;
  const before = processorMs();
  answer(rows);
  const rowsPerS = rows / ((processorMs() - before) / 1000);
  return { rows, rowsPerS, checksum, yosysMs, compileMs, cells, bytes: wasm.length };
}

function measureVerilator({ verilog, vectors, inputBytes, outputBytes }: Design, rows: number) {
  const folder = mkdtempSync(path.join(tmpdir(), "boardwalk-verilator-"));
  try {
    writeFileSync(path.join(folder, "core.v"), verilog);
    writeFileSync(path.join(folder, "main.cpp"), harness({ rows, inputBytes, outputBytes }));
    const bytes = Array.from({ length: rows }, (_, row) => Buffer.from(rowAt(vectors, row)));
    writeFileSync(path.join(folder, "rows.bin"), Buffer.concat(bytes));
    const before = performance.now();
    execFileSync(
      "verilator",
      [
        ..."--cc --exe --build -O3 -Wno-fatal --top-module core -CFLAGS -O2".split(" "),
        "main.cpp",
        "core.v",
      ],
      { cwd: folder, stdio: "ignore" },
    );
    const buildMs = performance.now() - before;
    const printed = execFileSync(path.join(folder, "obj_dir/Vcore"), {
      cwd: folder,
      encoding: "utf8",
    });
    const [checksum, cycles, seconds] = printed.trim().split(" ").map(Number);
    return { buildMs, checksum, cycles: cycles ?? 0, rowsPerS: rows / (seconds ?? 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowAt(vectors: readonly Int8Array[], index: number): Int8Array {
  return vectors[index % vectors.length] ?? new Int8Array();
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Drives the core as `createCoreRunner` does; prints checksum, cycles and processor seconds. */
function harness({
  rows,
  inputBytes,
  outputBytes,
}: Pick<Design, "inputBytes" | "outputBytes"> & { readonly rows: number }): string {
  return `#include <cstdio>
#include <cstdint>
#include <ctime>
#include <vector>
#include "Vcore.h"
#include "verilated.h"
static Vcore core;
static uint64_t cycles = 0;
static void step() { core.clk = 1; core.eval(); core.clk = 0; core.eval(); cycles++; }
int main() {
  std::vector<uint8_t> rows(${rows} * ${inputBytes});
  FILE *file = fopen("rows.bin", "rb");
  if (!file || fread(rows.data(), 1, rows.size(), file) != rows.size()) return 1;
  core.eval();
  core.rst = 1; step(); core.rst = 0; core.out_ready = 1; core.eval();
  uint32_t checksum = 0;
  clock_t start = clock();
  for (int row = 0; row < ${rows}; row++) {
    for (int index = 0; index < ${inputBytes}; index++) {
      core.in_valid = 1;
      core.in_data = rows[row * ${inputBytes} + index];
      core.in_last = index == ${inputBytes - 1};
      core.eval();
      while (!core.in_ready) step();
      step();
    }
    core.in_valid = 0;
    core.eval();
    for (int index = 0; index < ${outputBytes}; index++) {
      while (!core.out_valid) step();
      checksum = checksum * 31 + core.out_data;
      step();
    }
  }
  printf("%u %llu %f\\n", checksum, (unsigned long long)cycles, (double)(clock() - start) / CLOCKS_PER_SEC);
}
`;
}

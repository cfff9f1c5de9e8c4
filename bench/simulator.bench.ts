import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { compileNetlist } from "@/simulator/compile";
import { createCoreRunner, loadSimulation } from "@/simulator/run";
import { digitsCore } from "@/tests/simulator/support/digits-core";
import { netlistOf } from "@/tests/simulator/support/tools";

/**
 * Cycles per processor second of our simulator beside Verilator, on the core of `digits-mlp` answering the same rows.
 * Run with `npx tsx bench/simulator.bench.ts`; needs Verilator, make and a C++ compiler on PATH.
 */
const rowsPerRun = 5_000;
const verilatorRows = 20_000;

const { design, graph, vectors } = digitsCore();
const inputBytes = graph.input.size;
const outputBytes = 2 * graph.output.size;
/** Input, computing, output; the last compute cycle already shows the first byte. */
const cyclesPerRow = inputBytes + design.schedule.latencyCycles + outputBytes - 1;

const ours = await measureOurs();
const verilator = measureVerilator();
if (ours.checksum !== verilator.checksum) throw new Error("The two simulators answer differently.");

const mega = (cyclesPerS: number): string => `${(cyclesPerS / 1e6).toFixed(2)} M cycles/s`;
console.log(`core of digits-mlp, ${design.schedule.lanes} lanes, ${cyclesPerRow} cycles a row`);
console.log(
  `ours:      ${mega(ours.cyclesPerS)}; Yosys ${ours.yosysMs.toFixed(0)} ms, compile ${ours.compileMs.toFixed(0)} ms (${ours.cells} cells, ${ours.bytes} bytes)`,
);
console.log(
  `Verilator: ${mega(verilator.cyclesPerS)}; build ${(verilator.buildMs / 1000).toFixed(1)} s`,
);
console.log(`ratio ours / Verilator: ${(ours.cyclesPerS / verilator.cyclesPerS).toFixed(2)}`);

async function measureOurs() {
  const beforeYosys = processorMs();
  const netlist = await netlistOf({ "core.v": design.verilog });
  const yosysMs = processorMs() - beforeYosys;
  const beforeCompile = processorMs();
  const { wasm, cells } = compileNetlist(netlist, { top: "core" });
  const runner = createCoreRunner(loadSimulation(wasm), { inputBytes, outputBytes });
  const compileMs = processorMs() - beforeCompile;

  let checksum = 0;
  const answer = (count: number): void => {
    for (let row = 0; row < count; row++) {
      const { output } = runner.run(rowAt(row));
      for (const byte of output) checksum = (checksum * 31 + byte) >>> 0;
    }
  };
  answer(verilatorRows);
  const expected = checksum;
  const before = processorMs();
  answer(rowsPerRun);
  const seconds = (processorMs() - before) / 1000;
  return {
    yosysMs,
    compileMs,
    cells,
    bytes: wasm.length,
    checksum: expected,
    cyclesPerS: (rowsPerRun * cyclesPerRow) / seconds,
  };
}

function measureVerilator() {
  const folder = mkdtempSync(path.join(tmpdir(), "boardwalk-verilator-"));
  try {
    writeFileSync(path.join(folder, "core.v"), design.verilog);
    writeFileSync(path.join(folder, "main.cpp"), harness());
    const rows = Buffer.concat(
      Array.from({ length: verilatorRows }, (_, row) => Buffer.from(rowAt(row))),
    );
    writeFileSync(path.join(folder, "rows.bin"), rows);
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
    return { buildMs, checksum, cyclesPerS: (cycles ?? 0) / (seconds ?? 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowAt(index: number): Int8Array {
  return vectors[index % vectors.length] ?? new Int8Array(inputBytes);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Drives the core as `createCoreRunner` does; prints checksum, cycles and processor seconds. */
function harness(): string {
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
  std::vector<uint8_t> rows(${verilatorRows} * ${inputBytes});
  FILE *file = fopen("rows.bin", "rb");
  if (!file || fread(rows.data(), 1, rows.size(), file) != rows.size()) return 1;
  core.eval();
  core.rst = 1; step(); core.rst = 0; core.out_ready = 1; core.eval();
  uint32_t checksum = 0;
  clock_t start = clock();
  for (int row = 0; row < ${verilatorRows}; row++) {
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

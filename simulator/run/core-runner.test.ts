import { describe, expect, it } from "vitest";
import { compileNetlist } from "@/simulator/compile";
import { bus, type HandModule, handNetlist } from "@/tests/simulator/support/hand-netlist";
import { createCoreRunner } from "./core-runner";
import { loadSimulation } from "./simulation";

const inputs = {
  clk: [2],
  rst: [3],
  in_valid: [4],
  in_data: bus(5, 8),
  in_last: [13],
  out_ready: [14],
};

/** A core that answers every byte at once with itself, or breaks in the way the outputs say. */
const module = (
  outputs: Partial<Record<string, readonly (number | string)[]>> = {},
): HandModule => ({
  inputs,
  outputs: {
    in_ready: outputs["in_ready"] ?? ["1"],
    out_valid: outputs["out_valid"] ?? ["1"],
    out_data: bus(5, 8),
    out_last: outputs["out_last"] ?? ["1"],
    cycles: Array(32).fill("1"),
  },
});

const simulationOf = (source: HandModule) =>
  loadSimulation(compileNetlist(handNetlist(source), { top: "top" }).wasm);

describe("a core at its stream port", () => {
  it("answers a row of bytes", () => {
    const runner = createCoreRunner(simulationOf(module()), { inputBytes: 3, outputBytes: 1 });
    const { output, cycles } = runner.run(Int8Array.of(1, 2, -3));
    expect([...output]).toEqual([253]);
    expect(cycles).toBe(2 ** 32 - 1);
  });

  it.each([
    { why: "takes no input", outputs: { in_ready: ["0"] } },
    { why: "gives no answer", outputs: { out_valid: ["0"] } },
    { why: "never ends its answer", outputs: { out_last: ["0"] } },
  ])("fails when the core $why", ({ outputs }) => {
    const runner = createCoreRunner(simulationOf(module(outputs)), {
      inputBytes: 1,
      outputBytes: 1,
      cycleLimit: 100,
    });
    expect(() => runner.run(Uint8Array.of(1))).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
  });

  it("refuses a row of another length", () => {
    const runner = createCoreRunner(simulationOf(module()), { inputBytes: 2, outputBytes: 1 });
    expect(() => runner.run(Uint8Array.of(1))).toThrow(
      expect.objectContaining({ reason: "INFER_INVALID" }),
    );
  });

  it("refuses a design that is not a core", () => {
    const simulation = simulationOf({ inputs, outputs: {} });
    expect(() => createCoreRunner(simulation, { inputBytes: 1, outputBytes: 1 })).toThrow(
      expect.objectContaining({ reason: "ARTIFACT_MISMATCH" }),
    );
  });
});

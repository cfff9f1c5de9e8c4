import { describe, expect, it } from "vitest";
import { compileNetlist } from "@/simulator/compile";
import { echoCore, echoCoreWasm } from "@/tests/simulator/support/echo-core";
import { bus, type HandModule, handNetlist } from "@/tests/simulator/support/hand-netlist";
import { createCoreRunner } from "./core-runner";
import { loadSimulation, type Simulation } from "./simulation";

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

/** As an artifact whose module cannot answer rows itself. */
const portByPort = (simulation: Simulation): Simulation => ({
  ...simulation,
  answerRow: () => null,
});

describe.each([
  { how: "by its module", opened: (simulation: Simulation) => simulation },
  { how: "port by port", opened: portByPort },
])("a core at its stream port, $how", ({ opened }) => {
  it("answers a row of bytes", () => {
    const runner = createCoreRunner(opened(simulationOf(module())), {
      inputBytes: 3,
      outputBytes: 1,
    });
    const { output, cycles } = runner.run(Int8Array.of(1, 2, -3));
    expect([...output]).toEqual([253]);
    expect(cycles).toBe(2 ** 32 - 1);
  });

  it.each([
    { why: "takes no input", outputs: { in_ready: ["0"] } },
    { why: "gives no answer", outputs: { out_valid: ["0"] } },
    { why: "never ends its answer", outputs: { out_last: ["0"] } },
  ])("fails when the core $why", ({ outputs }) => {
    const runner = createCoreRunner(opened(simulationOf(module(outputs))), {
      inputBytes: 1,
      outputBytes: 1,
      cycleLimit: 100,
    });
    expect(() => runner.run(Uint8Array.of(1))).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
  });

  it("answers the next row after one that failed", () => {
    const broken = opened(simulationOf(echoCore({ outValid: "0" })));
    const runner = createCoreRunner(broken, { inputBytes: 3, outputBytes: 1, cycleLimit: 50 });
    const messages = [1, 2].map(() => {
      try {
        return runner.run(Uint8Array.of(1, 2, 3)).output.join();
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    });
    const silent = "The core did not answer within 50 clock cycles.";
    expect(messages).toEqual([silent, silent]);
  });

  it("refuses a row of another length", () => {
    const runner = createCoreRunner(opened(simulationOf(module())), {
      inputBytes: 2,
      outputBytes: 1,
    });
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

describe("a module's own answers", () => {
  const shape = { inputBytes: 3, outputBytes: 1 };
  const row = Uint8Array.of(7, 8, 209);

  it("are made without a look at any port", () => {
    const simulation = loadSimulation(echoCoreWasm());
    const blind: Simulation = {
      ...simulation,
      get: () => {
        throw new Error("a port was looked at");
      },
    };
    expect(createCoreRunner(blind, shape).run(row)).toEqual({
      output: Uint8Array.of(209),
      cycles: 1,
    });
  });

  it("are done without where the module is older than the export", () => {
    const wasm = echoCoreWasm();
    const text = Buffer.from(wasm).toString("latin1");
    const older = Buffer.from(text.replace("answerRow", "formerRow"), "latin1");
    const simulation = loadSimulation(older);
    expect(simulation.answerRow(row, { outputBytes: 1, cycleLimit: 10 })).toBeNull();
    expect(createCoreRunner(simulation, shape).run(row)).toEqual(
      createCoreRunner(loadSimulation(wasm), shape).run(row),
    );
  });

  it("are done without for a row that does not fit the page", () => {
    const inputBytes = 70_000;
    const simulation = loadSimulation(echoCoreWasm());
    const long = new Uint8Array(inputBytes).fill(9);
    expect(simulation.answerRow(long, { outputBytes: 1, cycleLimit: 10 })).toBeNull();
    const { output } = createCoreRunner(simulation, { inputBytes, outputBytes: 1 }).run(long);
    expect([...output]).toEqual([9]);
  });

  it("are not offered by a design that is not a core", () => {
    const simulation = simulationOf({ inputs, outputs: {} });
    expect(simulation.answerRow(row, { outputBytes: 1, cycleLimit: 10 })).toBeNull();
  });
});

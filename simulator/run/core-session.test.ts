import { describe, expect, it } from "vitest";
import { echoCoreWasm } from "@/tests/simulator/support/echo-core";
import { createCoreRunner } from "./core-runner";
import { startCoreSession } from "./core-session";
import { loadSimulation, type Simulation } from "./simulation";
import { createRecorder, valueAt } from "./trace";

const shape = { inputBytes: 3, outputBytes: 1 };
const row = Uint8Array.of(7, 8, 209);
const load = (breaks: Parameters<typeof echoCoreWasm>[0] = {}): Simulation =>
  loadSimulation(echoCoreWasm(breaks));

describe("a row, cycle by cycle", () => {
  it("is offered after reset, taken byte by byte, and answered", () => {
    const session = startCoreSession(load(), shape, row);
    const seen: string[] = [];
    while (!session.answer) {
      const { cycle, taken, given, transfers } = session;
      seen.push(`${cycle}: ${taken} in, ${given} out${transfers ? ", passes" : ""}`);
      session.step();
    }
    expect(seen).toEqual([
      "0: 0 in, 0 out",
      "1: 0 in, 0 out, passes",
      "2: 1 in, 0 out, passes",
      "3: 2 in, 0 out, passes",
      "4: 3 in, 0 out, passes",
    ]);
    expect([...session.answer.output]).toEqual([209]);
    expect(session.cycle).toBe(5);
  });

  it("answers like the runner, count of cycles included", () => {
    const session = startCoreSession(load(), shape, row);
    while (!session.answer) session.step();
    expect(session.answer).toEqual(createCoreRunner(load(), shape).run(row));
  });

  it("can be looked at: each recorded cycle shows what its edge will see", () => {
    const simulation = load();
    const session = startCoreSession(simulation, shape, row);
    const recorder = createRecorder(simulation, [
      "rst",
      "in_valid",
      "in_data",
      "in_last",
      "out_valid",
    ]);
    recorder.record();
    while (!session.answer) {
      session.step();
      recorder.record();
    }
    const { signals, length } = recorder.snapshot();
    const wave = Object.fromEntries(
      signals.map((signal) => [
        signal.name,
        Array.from({ length }, (_, cycle) => valueAt(signal, cycle)),
      ]),
    );
    expect(wave).toEqual({
      rst: [1, 0, 0, 0, 0, 0],
      in_valid: [0, 1, 1, 1, 0, 0],
      in_data: [0, 7, 8, 209, 209, 209],
      in_last: [0, 0, 0, 1, 0, 0],
      out_valid: [0, 0, 0, 0, 1, 0],
    });
  });

  it("starts from the same state again", () => {
    const simulation = load();
    for (const bytes of [row, Uint8Array.of(1, 2, 3)]) {
      const session = startCoreSession(simulation, shape, bytes);
      while (!session.answer) session.step();
      expect([...session.answer.output]).toEqual([bytes[2]]);
      expect(session.cycle).toBe(5);
    }
  });

  it("is refused in another length", () => {
    expect(() => startCoreSession(load(), shape, Uint8Array.of(1))).toThrow(
      expect.objectContaining({ reason: "INFER_INVALID" }),
    );
  });

  it("fails when the core does not end its answer", () => {
    const session = startCoreSession(load({ outLast: "0" }), shape, row);
    const run = () => {
      for (let cycle = 0; cycle < 10; cycle++) session.step();
    };
    expect(run).toThrow(expect.objectContaining({ reason: "LINK_FAILED" }));
  });
});

describe("a recorder", () => {
  it("keeps changes only, whatever their number", () => {
    const simulation = load();
    const recorder = createRecorder(simulation, ["in_data", "rst"]);
    for (let cycle = 0; cycle < 1000; cycle++) {
      simulation.set("in_data", cycle >> 2);
      recorder.record();
    }
    const [data, rst] = recorder.snapshot().signals;
    expect(data?.cycles).toHaveLength(250);
    expect(valueAt(data!, 999)).toBe(249);
    expect(valueAt(data!, 502)).toBe(125);
    expect([...rst!.cycles]).toEqual([0]);
  });

  it("refuses what is not there", () => {
    expect(() => createRecorder(load(), ["nope"])).toThrow(/nope/);
  });
});

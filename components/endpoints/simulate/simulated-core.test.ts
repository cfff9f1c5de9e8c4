import { describe, expect, it } from "vitest";
import { valueAt } from "@/simulator/run";
import { echoCoreWasm } from "@/tests/simulator/support/echo-core";
import { SimulatedCore } from "./simulated-core";

const shape = { inputBytes: 3, outputBytes: 1 };
const row = Uint8Array.of(7, 8, 209);
const limits = { recordedCycles: 100, cycleLimit: 1000 };

function started(breaks: Parameters<typeof echoCoreWasm>[0] = {}, mostRecorded = 100) {
  const core = new SimulatedCore(echoCoreWasm(breaks), shape, {
    ...limits,
    recordedCycles: mostRecorded,
  });
  core.start(row);
  return core;
}

describe("a core in the page", () => {
  it("runs to the answer in slices, and says when it is there", () => {
    const core = started();
    expect(core.advance("answer", 2)).toBe(false);
    expect(core.progress).toMatchObject({ cycle: 2, taken: 1, given: 0, answer: null });
    expect(core.advance("answer", 100)).toBe(true);
    expect(core.progress).toMatchObject({ cycle: 5, taken: 3, given: 1 });
    expect([...(core.progress.answer?.output ?? [])]).toEqual([209]);
    expect(core.trace.length).toBe(6);
  });

  it("goes one cycle, or to the next byte that passes", () => {
    const core = started();
    core.advance("cycle", 100);
    expect(core.progress.cycle).toBe(1);
    for (const cycle of [2, 3, 4]) {
      core.advance("transfer", 100);
      expect(core.progress.cycle).toBe(cycle);
    }
    expect(valueAt(core.trace.signals.find(({ name }) => name === "out_valid")!, 4)).toBe(1);
  });

  it("keeps so many cycles and runs on", () => {
    const core = started({}, 3);
    core.advance("answer", 100);
    expect(core.progress.answer).not.toBeNull();
    expect(core.trace.length).toBe(3);
  });

  it("that never answers is given up, with what happened still there", () => {
    const core = started({ outValid: "0" });
    expect(() => core.advance("answer", 10_000)).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
    expect(core.progress).toMatchObject({ cycle: 1000, taken: 3, given: 0 });
    expect(core.trace.length).toBe(100);
  });

  it("begins anew with another row, and its trace with it", () => {
    const core = started();
    core.advance("answer", 100);
    core.start(Uint8Array.of(1, 2, 3));
    expect(core.progress).toMatchObject({ cycle: 0, taken: 0, answer: null });
    expect(core.trace.length).toBe(1);
    core.advance("answer", 100);
    expect([...(core.progress.answer?.output ?? [])]).toEqual([3]);
  });

  it("writes what it recorded under its own name", () => {
    const core = started();
    core.advance("answer", 100);
    const text = core.dump(1e9, "artifact x").join("");
    expect(text).toContain("$scope module top $end");
    expect(text).toContain("#5000\n1!");
  });
});

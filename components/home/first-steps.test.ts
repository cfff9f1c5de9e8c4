import { describe, expect, it } from "vitest";
import { endpointOf } from "@/e2e/support/fixture-data";
import type { Endpoint } from "@/lib/common/contract";
import { firstSteps } from "./first-steps";

const digits = "s3://boardwalk-samples/digits-mlp/model.onnx";
const iris = "s3://boardwalk-samples/iris-mlp/model.onnx";
const endpoint = (name: string, more: Partial<Endpoint>): Endpoint => ({
  ...endpointOf(name),
  proof: undefined,
  boardKind: "simulated",
  state: "building",
  ...more,
});
const proof = { vectors: 64, mismatches: 0, rows: 1, maxAbsError: 0, agreement: 1, source: "rows" };
const done = (endpoints: readonly Endpoint[], hasSeenCycles = false) =>
  firstSteps(endpoints, hasSeenCycles).map((step) => step.done);

describe("the first hour", () => {
  it("does not tick itself for other models than it speaks of", () => {
    const others = [
      endpoint("iris", { modelUrl: iris, state: "ready", proof }),
      endpoint("iris-cpu", { modelUrl: iris, state: "ready", proof, boardKind: "cpu" }),
      endpoint("digits-cpu", { modelUrl: digits, state: "ready", proof, boardKind: "cpu" }),
    ];
    expect(done(others)).toEqual([false, false, false, false]);
  });

  it("goes step by step", () => {
    const building = endpoint("digits", { modelUrl: digits, buildId: "bld_1" });
    expect(done([building])).toEqual([true, false, false, false]);
    expect(firstSteps([building], false)[1]?.href).toBe("/builds/bld_1");
    const served = { ...building, state: "ready" as const, proof };
    expect(done([served])).toEqual([true, true, false, false]);
    expect(done([served], true)).toEqual([true, true, true, false]);
    const cpu = endpoint("digits-cpu", { modelUrl: digits, boardKind: "cpu" });
    expect(done([served, cpu], true)).toEqual([true, true, true, true]);
  });

  it("sends nobody to a CPU for cycles", () => {
    const cpu = endpoint("a-cpu", { modelUrl: digits, boardKind: "cpu", state: "ready" });
    expect(firstSteps([cpu], false)[2]?.href).toMatch(/^\/deploy/);
    const board = endpoint("z-board", { modelUrl: iris, state: "ready" });
    expect(firstSteps([cpu, board], false)[2]?.href).toBe("/endpoints/z-board");
  });
});

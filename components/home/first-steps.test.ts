import { describe, expect, it } from "vitest";
import { endpointOf } from "@/e2e/support/fixture-data";
import type { Endpoint } from "@/lib/common/contract";
import { firstSteps, type Seen } from "./first-steps";

const digits = "s3://boardwalk-samples/digits-mlp/model.onnx";
const nothing: Seen = { cycles: false, code: false };
const endpoint = (name: string, more: Partial<Endpoint> = {}): Endpoint => ({
  ...endpointOf(name),
  proof: undefined,
  modelUrl: digits,
  boardModel: "icebreaker",
  boardKind: "simulated",
  state: "building",
  ...more,
});
const proof = { vectors: 64, mismatches: 0, rows: 1, maxAbsError: 0, agreement: 1, source: "rows" };
const done = (endpoints: readonly Endpoint[], seen = nothing) =>
  firstSteps(endpoints, seen).map((step) => step.done);
const hrefOf = (id: string, endpoints: readonly Endpoint[]) =>
  firstSteps(endpoints, nothing).find((step) => step.id === id)?.href;

describe("the first hour", () => {
  it("does not tick itself for what is on a CPU, or of somebody's own", () => {
    const own = "s3://uploads-1/abc";
    const others = [
      endpoint("digits-cpu", { boardKind: "cpu", boardModel: "cpu", state: "ready", proof }),
      endpoint("own", { modelUrl: own, state: "ready", proof }),
    ];
    expect(done(others)).toEqual([false, false, false, false, false]);
  });

  it("goes step by step", () => {
    const building = endpoint("digits", { buildId: "bld_1" });
    expect(done([building])).toEqual([true, false, false, false, false]);
    expect(hrefOf("watch", [building])).toBe("/builds/bld_1");
    const served = { ...building, state: "ready" as const, proof };
    expect(done([served])).toEqual([true, true, false, false, false]);
    expect(done([served], { cycles: true, code: false })).toEqual([true, true, true, false, false]);
    const other = endpoint("digits-2", { boardModel: "ulx3s-25f" });
    const all: Seen = { cycles: true, code: true };
    expect(done([served, other], all)).toEqual([true, true, true, true, true]);
    const own = endpoint("own", { modelUrl: "https://example.org/m.onnx" });
    expect(done([served, own], all)).toEqual([true, true, true, true, true]);
    const again = endpoint("digits-3");
    expect(done([served, again], all)).toEqual([true, true, true, false, true]);
  });

  it("sends nobody to a CPU for cycles", () => {
    const cpu = endpoint("a-cpu", { boardKind: "cpu", state: "ready" });
    expect(hrefOf("predict", [cpu])).toMatch(/^\/deploy/);
    const board = endpoint("z-board", { state: "ready" });
    expect(hrefOf("predict", [cpu, board])).toBe("/endpoints/z-board");
    expect(hrefOf("share", [cpu])).toBe("/endpoints/a-cpu?tab=code");
  });
});

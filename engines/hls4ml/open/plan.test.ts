import { describe, expect, it } from "vitest";
import { findFamily, getBoardModel, listBoardModels } from "@/boards";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine } from "../../boardwalk";
import { hls4mlEngine as engine } from "..";
import type { ExpectedNetwork } from "./gather";

const planOn = (board: string, options: Record<string, unknown> = {}) =>
  engine.plan(planRequest("iris-mlp", board, { options }));

describe("firmware of da4ml's adders", () => {
  it("is planned from our integer graph, with da4ml in a step of its own", () => {
    const plan = planOn("ulx3s-25f");
    expect(plan).toMatchObject({ engine: "hls4ml", kind: "firmware", platform: "boardwalk_ecp5" });
    const [trace, gather] = plan.steps;
    expect(trace).toMatchObject({
      kind: "tool",
      command: "hls4ml",
      args: ["trace.py", "trace.json"],
      explains: "problem.json",
    });
    expect(gather).toMatchObject({ kind: "derive", task: "gather-adders", produces: ["core.v"] });
    const task = JSON.parse(String(plan.files.get("trace.json")));
    expect(task.graph).toEqual(integerGraphOf(plan));
    expect(task.stages).toBe((plan.core?.latencyCycles ?? 0) - 3);
    expect(plan.vectors.length).toBeGreaterThan(500);
    expect(plan.variants.length).toBeGreaterThan(0);
    expect(plan.products.map(({ role }) => role)).toEqual(
      expect.arrayContaining(["bitstream", "simulation", "graph", "verilog"]),
    );
    expect(plan.sections?.map(({ id }) => id)).toContain("core-stage-1");
  });

  it("answers by the same numbers as the boardwalk engine's firmware", () => {
    const theirs = boardwalkEngine.plan(planRequest("iris-mlp", "ulx3s-25f"));
    const ours = planOn("ulx3s-25f");
    expect(ours.io).toEqual(theirs.io);
    expect(integerGraphOf(ours).output).toEqual(integerGraphOf(theirs).output);
  });

  it("names its artifact after the versions of hls4ml and da4ml, and after its options", () => {
    const { digest } = planOn("icebreaker");
    const other = planRequest("iris-mlp", "icebreaker", { toolVersions: { hls4ml: "da4ml 0.7" } });
    expect(engine.plan(other).digest).not.toBe(digest);
    expect(planOn("icebreaker", { levels: 3 }).digest).not.toBe(digest);
    expect(planOn("icebreaker", { width: 12 }).digest).toBe(digest);
    expect(engine.tools("onnx", getBoardModel("icebreaker"))).toEqual(
      expect.arrayContaining(["hls4ml", "yosys", "nextpnr-ice40", "icepack"]),
    );
  });

  it("is refused at once where it would need many times the cells of the part", () => {
    expect(() => planOn("icestick")).toThrow(
      expect.objectContaining({
        reason: "MODEL_TOO_LARGE",
        message: expect.stringMatching(/needs? about [\d,]+ logic cells of [\d,]+ usable/),
      }),
    );
  });

  it("takes fewer cycles with more adders between registers", () => {
    const cyclesAt = (levels: number) => planOn("ulx3s-85f", { levels }).core?.latencyCycles ?? 0;
    expect(cyclesAt(1)).toBeGreaterThan(cyclesAt(2));
    expect(cyclesAt(2)).toBeGreaterThan(cyclesAt(4));
    expect(cyclesAt(16)).toBeLessThan(8);
  });

  it("is built for every board that open tools build for, and is firmware there alone", () => {
    for (const board of listBoardModels()) {
      const family = findFamily(board.part);
      const isOpen = family !== null && family.vendor === undefined;
      const kind = board.part.flow.kind === "cpu" ? "cpu" : "simulated";
      expect({ id: board.id, kind: engine.kindOn?.(board) }).toEqual({
        id: board.id,
        kind: isOpen ? "fpga" : "cpu",
      });
      if (isOpen) expect(engine.supports(board, kind)).toEqual({ ok: true });
    }
  });
});

describe("the Verilog that da4ml left", () => {
  const given: ExpectedNetwork = {
    input: { size: 2, width: 8, fraction: 0 },
    output: { size: 2, width: 16, fraction: 0 },
    stages: 4,
  };
  const ports = {
    inputs: [
      [1, 7, 0],
      [1, 7, 0],
    ],
    outputs: [
      [1, 15, 0],
      [0, 3, -1],
    ],
    stages: 3,
  };
  const verilog =
    "`timescale 1ns / 1ps\nmodule mux #(\n) ();\nendmodule\nmodule adders (input clk);\n  mux #(1) op_1 (a, b);\nendmodule\n";
  const gather = (change: Record<string, string | null> = {}) => {
    const texts: Record<string, string | null> = {
      "network.json": JSON.stringify(ports),
      "network.v": verilog,
      ...change,
    };
    return engine.derive?.["gather-adders"]?.({
      given,
      reads: Object.keys(texts),
      text: (path) => texts[path] ?? null,
      bytes: () => null,
      folder: new Map(),
    });
  };

  it("is put behind the stream port, its modules under names of their own", () => {
    const core = gather()?.get("core.v") ?? "";
    expect(core).toContain("module core (");
    expect(core).toContain("da4ml_mux #(1) op_1");
    expect(core).not.toMatch(/timescale|\bmux #/);
    // Two bits of the second output, which counts in twos and is never negative.
    expect(core).toContain("{13'd0, given[16 +: 2], 1'd0, given[0 +: 16]}");
    expect(core).toContain("{row[8 +: 8], row[0 +: 8]}");
  });

  it.each([
    { what: "no network", change: { "network.v": null }, reason: "OUTPUT_MISSING" },
    { what: "no ports", change: { "network.json": null }, reason: "OUTPUT_MISSING" },
    { what: "half a file", change: { "network.json": '{"inputs":' }, reason: "OUTPUT_INVALID" },
    {
      what: "an input too few",
      change: { "network.json": JSON.stringify({ ...ports, inputs: [[1, 7, 0]] }) },
      reason: "OUTPUT_INVALID",
    },
    {
      what: "more stages than are waited for",
      change: { "network.json": JSON.stringify({ ...ports, stages: 5 }) },
      reason: "OUTPUT_INVALID",
    },
    {
      what: "an answer that its word does not hold",
      change: {
        "network.json": JSON.stringify({
          ...ports,
          outputs: [
            [1, 16, 0],
            [1, 15, 0],
          ],
        }),
      },
      reason: "OUTPUT_INVALID",
    },
    {
      what: "an unsigned answer that reaches the sign of its word",
      change: {
        "network.json": JSON.stringify({
          ...ports,
          outputs: [
            [0, 16, 0],
            [1, 15, 0],
          ],
        }),
      },
      reason: "OUTPUT_INVALID",
    },
    {
      what: "an answer finer than its word",
      change: {
        "network.json": JSON.stringify({
          ...ports,
          outputs: [
            [1, 10, 2],
            [1, 15, 0],
          ],
        }),
      },
      reason: "OUTPUT_INVALID",
    },
  ])("is refused where there is $what", ({ change, reason }) => {
    expect(() => gather(change)).toThrow(expect.objectContaining({ reason }));
  });
});

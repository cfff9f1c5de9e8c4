import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { loadReader } from "@/compiler";
import type { GraphConstant } from "@/compiler/graph/graph";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { planRequest } from "@/tests/support/compiler/plan-request";
import {
  loadTreeSample,
  readTreeFile,
  type TreeSampleId,
} from "@/tests/support/compiler/tree-samples";
import type { ParsedModel, Plan, Products } from "../engine";
import { readModel } from "../read-model";
import { boardwalkEngine as engine } from ".";

const request = planRequest("iris-mlp", "icebreaker");

describe("planning firmware", () => {
  it("plans core, shell, top and identity for each clock, with the tools in order", () => {
    const plan = engine.plan(request);
    expect([...plan.files.keys()]).toEqual(
      expect.arrayContaining(["core.v", "shell.v", "graph.json"]),
    );
    expect(plan.core).toMatchObject({ inputBytes: 4, outputBytes: 6, bytesPerOutput: 2 });
    expect(plan.io.outputs[0]).toMatchObject({
      name: "probabilities",
      activation: "softmax",
      labels: ["setosa", "versicolor", "virginica"],
    });
    expect(plan.variants.map(({ clockHz }) => clockHz)).toEqual([48e6, 42e6, 36e6, 24e6, 12e6]);
    expect(plan.synthesis.map(({ name }) => name)).toEqual(["synthesise"]);
    for (const variant of plan.variants) {
      expect(variant.steps.map(({ name }) => name)).toEqual([
        "fill in clock and identity",
        "netlist",
        "netlist simulation",
        "place and route",
        "pack",
      ]);
      expect(variant.steps[2]?.produces).toEqual([variant.netlistSimulation]);
      expect(variant.files.get("tables.v")).toContain(plan.digest);
      expect(variant.files.get("clock.v")).toContain(`${variant.clockHz / 1e6} MHz`);
      const known = new Set(plan.files.keys());
      for (const step of plan.synthesis) {
        for (const file of step.reads) expect(known).toContain(file);
        for (const file of step.produces) known.add(file);
      }
      for (const file of variant.files.keys()) known.add(file);
      for (const step of variant.steps) {
        for (const file of step.reads) expect(known).toContain(file);
        for (const file of step.produces) known.add(file);
      }
    }
  });

  it("synthesises the same files at every clock and with every identity", () => {
    const read = ({ files, synthesis }: ReturnType<typeof engine.plan>) =>
      synthesis.flatMap(({ reads }) => reads.map((name) => [name, files.get(name)]));
    const usual = engine.plan(request);
    expect(read(usual).map(([name]) => name)).toEqual(
      expect.arrayContaining(["top.v", "shell.v", "identity.v", "core.v", "blanks.v"]),
    );
    const slow = engine.plan({ ...request, options: { clockHz: 12e6 } });
    const other = engine.plan({ ...request, sourceDigest: request.model.digest });
    for (const plan of [slow, other]) {
      expect(plan.digest).not.toBe(usual.digest);
      expect(read(plan)).toEqual(read(usual));
    }
  });

  it("tries as many placements of each clock as were asked for, before a slower one", () => {
    const { variants } = engine.plan({ ...request, options: { seeds: 2 } });
    expect(variants.slice(0, 3).map(({ name }) => name)).toEqual([
      "48 MHz, placement 1",
      "48 MHz, placement 2",
      "42 MHz, placement 1",
    ]);
    const [first, second] = variants;
    const argsOf = (variant: typeof first, stage: string) =>
      variant?.steps.flatMap((step) =>
        step.kind === "tool" && step.stage === stage ? step.args.join(" ") : [],
      );
    expect(first?.files.get("filling.json")).toBe(second?.files.get("filling.json"));
    expect(argsOf(first, "place")?.[0]).toContain("--seed 1");
    expect(argsOf(second, "place")?.[0]).toContain("--seed 2");
  });

  it("gives equal requests equal plans, and others other digests", () => {
    const { digest } = engine.plan(request);
    expect(engine.plan(planRequest("iris-mlp", "icebreaker")).digest).toBe(digest);
    const changes: Partial<typeof request>[] = [
      { toolVersions: { yosys: "0.56" } },
      { sourceDigest: request.model.digest },
      { card: { ...request.card, title: "Another" } },
      { options: { lanes: 2 } },
      { options: { simulate: "shell" } },
      { board: { ...request.board, id: "another" } },
    ];
    for (const change of changes) {
      const other = engine.plan({ ...request, ...change }).digest;
      expect({ change: Object.keys(change), same: other === digest }).toMatchObject({
        same: false,
      });
    }
    // The same design is the same firmware, whoever chose its architecture.
    const asked = { ...request, options: { architecture: "array" } };
    expect(engine.plan(asked).digest).toBe(digest);
    // The same firmware serves simulated and real boards.
    expect(engine.plan({ ...request, boardKind: "physical" }).digest).toBe(digest);
  });

  it("simulates the shell too when asked", () => {
    const plan = engine.plan({ ...request, options: { simulate: "shell" } });
    expect(plan.products.map(({ role }) => role)).toContain("simulation-shell");
    const steps = plan.variants[0]?.steps ?? [];
    expect(steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["shell netlist", "shell simulation"]),
    );
  });

  it.each([
    { options: { clockHz: 7 }, reason: "OPTION_INVALID" },
    { options: { lanes: 17 }, reason: "OPTION_INVALID" },
    { options: { lanes: 4, architecture: "unrolled" }, reason: "OPTION_INVALID" },
    { options: { architecture: "unrolled" }, reason: "MODEL_TOO_LARGE" },
    { board: getBoardModel("cpu"), reason: "COMBINATION_UNSUPPORTED" },
    { card: { inputRange: { mean: [0], std: [1] } }, reason: "CARD_INVALID" },
  ])("refuses with $reason", { timeout: 60_000 }, ({ reason, ...change }) => {
    expect(() => engine.plan({ ...request, ...change })).toThrow(
      expect.objectContaining({ reason }),
    );
  });

  it("says by how much a model is too large, and what would fit", { timeout: 60_000 }, () => {
    const model = denseModel([784, 64, 10]);
    expect(() => engine.plan({ ...request, model, card: null })).toThrow(
      expect.objectContaining({
        reason: "MODEL_TOO_LARGE",
        message: expect.stringMatching(/needs \d+ block RAMs of 30 on iCEBreaker/),
        hint: expect.stringMatching(/Layers of 784-\d+-10 would fit/),
      }),
    );
  });
});

describe("planning what Keras saved", () => {
  const keras = async (file: string, format: "keras" | "keras-h5") => {
    await loadReader(format);
    const bytes = new Uint8Array(readFileSync(`tests/fixtures/models/${file}`));
    const model = readModel(bytes, request.sha256(bytes));
    return engine.plan({ ...request, model });
  };

  it.each([
    ["iris-mlp/model.keras", "keras"],
    ["iris-mlp/model.h5", "keras-h5"],
  ] as const)("takes %s, and makes the integers of its ONNX export", async (file, format) => {
    const weights = (plan: Plan) =>
      integerGraphOf(plan).nodes.flatMap((node) => (node.op === "dense" ? node.weights : []));
    const plan = await keras(file, format);
    expect(weights(plan)).toEqual(weights(engine.plan(request)));
    expect(plan.io.outputs[0]).toMatchObject({ activation: "softmax", size: 3 });
  });

  it("leaves a last sigmoid to the host", async () => {
    await loadReader("keras");
    const bytes = new Uint8Array(
      readFileSync("tests/fixtures/models/digits-autoencoder/model.keras"),
    );
    const plan = engine.plan({
      ...request,
      card: null,
      model: readModel(bytes, request.sha256(bytes)),
    });
    expect(plan.io.outputs[0]).toMatchObject({ activation: "sigmoid", size: 64 });
  });
});

describe("planning trees", () => {
  const trees = (id: TreeSampleId, change: Partial<typeof request> = {}) => {
    const { bytes, graph } = loadTreeSample(id);
    const format = id.endsWith(".onnx") ? "onnx" : `xgboost-${id.split(".").at(-1)}`;
    const model = { ...request.model, format, bytes, graph };
    return engine.plan({ ...request, card: null, model, ...change });
  };

  it("takes XGBoost files, and gives the host their thresholds", () => {
    const plan = trees("breast-cancer-xgboost/model.ubj");
    const [input] = plan.io.inputs;
    expect(input).toMatchObject({ name: "features", datatype: "FP32", shape: [-1, 30], size: 30 });
    expect(input?.fixedPoint).toBeUndefined();
    expect(input?.ranks).toHaveLength(30);
    // XGBoost file: `split_conditions` of feature 7 in the first tree.
    expect(input?.ranks?.[7]?.thresholds).toContain(Math.fround(0.04938));
    const sent = input?.ranks?.filter(({ thresholds }) => thresholds.length > 0).length;
    expect(plan.core).toMatchObject({ inputBytes: sent, outputBytes: 4, latencyCycles: 10 });
    expect(plan.io.outputs).toMatchObject([
      { name: "probabilities", activation: "softmax", size: 2, scores: { first: 0, count: 2 } },
    ]);
    expect(plan.forecast.notes?.join(" ")).toMatch(
      /comparison is exact.*within 0\.0\d+ of the model/,
    );
    expect(plan.forecast.lanes).toBeUndefined();
    expect(plan.vectors[0]).toHaveLength(sent ?? 0);
  });

  it("answers a classifier's label and scores from the same sums", () => {
    const card = { classes: ["one", "two", "three"] };
    const { io } = trees("wine-sklearn-forest/model.onnx", { card });
    expect(io.outputs).toMatchObject([
      { name: "label", datatype: "INT64", activation: "argmax", classes: [0, 1, 2], size: 1 },
      { name: "probabilities", datatype: "FP32", activation: "none", labels: card.classes },
    ]);
  });

  it("keeps every tap's signal in the simulation", () => {
    const plan = trees("iris-xgboost/model.json");
    const step = plan.steps.find(({ kind }) => kind === "netlist-to-wasm");
    const signals = new Set(step?.kind === "netlist-to-wasm" ? step.signals : []);
    expect(plan.taps.length).toBeGreaterThan(70);
    for (const { signal } of plan.taps) expect(signals).toContain(signal);
  });

  it("refuses lanes, and a board that is too small, with what would fit", () => {
    expect(() => trees("iris-xgboost/model.json", { options: { lanes: 2 } })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID" }),
    );
    const board = getBoardModel("icestick");
    expect(() => trees("iris-xgboost/model.json", { board })).toThrow(
      expect.objectContaining({
        reason: "MODEL_TOO_LARGE",
        hint: expect.stringMatching(/is large enough/),
      }),
    );
  });

  it("refuses by name what is no model for it", () => {
    for (const file of ["categories.json", "gblinear.json", "binary-hinge.json"]) {
      const graph = readTreeFile(file, readFileSync(`tests/fixtures/xgboost/${file}`));
      const verdict = engine.accepts({ ...request.model, format: "xgboost-json", graph });
      expect({ file, ok: verdict.ok }).toEqual({ file, ok: false });
      expect(verdict.ok ? "" : verdict.problem.reason).toMatch(
        /^(MODEL_UNSUPPORTED|OPERATOR_UNSUPPORTED)$/,
      );
    }
  });
});

describe("choosing the architecture", () => {
  const notes = (board: string, options: Record<string, unknown> = {}) => {
    const { forecast } = engine.plan(planRequest("iris-mlp", board, { options }));
    return { lanes: forecast.lanes, note: forecast.notes?.[0] };
  };

  it.each([
    {
      board: "icebreaker",
      options: {},
      lanes: 8,
      note: /^One array .* Otherwise it needs about \d+ logic cells of 3960 usable when unrolled\.$/,
    },
    {
      board: "ulx3s-25f",
      options: {},
      lanes: undefined,
      note: /^Every weight has adders of its own: about \d+ logic cells of 18216 usable\.$/,
    },
    { board: "ulx3s-25f", options: { lanes: 4 }, lanes: 4, note: /4 lanes were asked for/ },
    {
      board: "ulx3s-25f",
      options: { architecture: "array" },
      lanes: 8,
      note: /^One array .* This architecture was asked for/,
    },
    {
      board: "ulx3s-25f",
      options: { architecture: "unrolled" },
      lanes: undefined,
      note: /^Every weight .* This architecture was asked for/,
    },
  ])("says on $board with $options what it took and why", ({ board, options, lanes, note }) => {
    const taken = notes(board, options);
    expect(taken.lanes).toBe(lanes);
    expect(taken.note).toMatch(note);
  });

  it("makes an unrolled core several times faster, and keeps every one of its taps visible", () => {
    const unrolled = engine.plan(planRequest("iris-mlp", "ulx3s-25f"));
    const options = { architecture: "array" };
    const array = engine.plan(planRequest("iris-mlp", "ulx3s-25f", { options }));
    expect(unrolled.core?.latencyCycles).toBeLessThan((array.core?.latencyCycles ?? 0) / 2);
    const [simulation] = unrolled.steps.flatMap((step) =>
      step.kind === "netlist-to-wasm" ? [step] : [],
    );
    expect(unrolled.taps.length).toBeGreaterThan(0);
    for (const { signal } of unrolled.taps) expect(simulation?.signals).toContain(signal);
  });

  // Tries one board after the other: seconds of processor time.
  it("names a board that an unrolled design would fit", { timeout: 60_000 }, () => {
    const ask = () =>
      engine.plan(planRequest("iris-mlp", "icebreaker", { options: { architecture: "unrolled" } }));
    expect(ask).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /about \d+ logic cells of 3960 usable when unrolled on iCEBreaker/,
        ),
        hint: expect.stringMatching(/is large enough/),
      }),
    );
  });
});

describe("reading what the tools left", () => {
  const plan = engine.plan(request);
  const products = (fmax: Record<string, { achieved: number }>): Products => {
    const files: Record<string, string> = {
      "report.json": JSON.stringify({
        fmax,
        utilization: { ICESTORM_LC: { used: 1200, available: 5280 } },
      }),
      "placed.json": JSON.stringify({
        modules: {
          top: {
            cells: {
              "shell.core.weights_0.0.0_RAM": {
                type: "ICESTORM_RAM",
                attributes: { NEXTPNR_BEL: "X6/Y11/ram" },
              },
            },
          },
        },
      }),
      "cells.json": JSON.stringify({ SB_LUT4: 900, $scopeinfo: 3 }),
    };
    return { variant: plan.variants[0] ?? null, text: (path) => files[path] ?? null };
  };

  it.each([
    { fmax: { clk: { achieved: 48.1 } }, met: true },
    { fmax: { clk: { achieved: 60 }, other: { achieved: 47.9 } }, met: false },
    { fmax: {}, met: false },
  ])("judges the slowest clock: $fmax", ({ fmax, met }) => {
    expect(engine.timing(plan, products(fmax as Record<string, { achieved: number }>)).met).toBe(
      met,
    );
  });

  it("reports resources, speed and cells", () => {
    expect(engine.outcome(plan, products({ clk: { achieved: 50 } })).report).toMatchObject({
      resources: [{ id: "lut", used: 1200, available: 5280 }],
      achievedMhz: 50,
      clockHz: 48e6,
      clockLabel: "48 MHz",
      lanes: plan.forecast.lanes,
      cells: { SB_LUT4: 900 },
      sections: [{ id: "core-weights", uses: { bram: 1 } }],
      clocks: [{ name: "clk", achievedMhz: 50, targetMhz: 48 }],
      timeline: { rows: expect.arrayContaining([expect.objectContaining({ name: "features" })]) },
    });
  });

  it("names a report that is missing or damaged", () => {
    expect(() => engine.timing(plan, { variant: null, text: () => null })).toThrow(
      expect.objectContaining({ reason: "OUTPUT_MISSING" }),
    );
    expect(() => engine.timing(plan, { variant: null, text: () => "{" })).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});

function denseModel(sizes: readonly number[]): ParsedModel {
  const constants = new Map<string, GraphConstant>();
  const nodes = sizes.slice(1).map((outputs, layer) => {
    const inputs = sizes[layer] ?? 1;
    constants.set(`w${layer}`, {
      name: `w${layer}`,
      datatype: "FP32",
      shape: [inputs, outputs],
      values: Float64Array.from({ length: inputs * outputs }, (_, i) => ((i * 37) % 101) / 50 - 1),
    });
    return {
      name: `layer${layer}`,
      operator: "MatMul",
      domain: "",
      inputs: [`v${layer}`, `w${layer}`],
      outputs: [`v${layer + 1}`],
      attributes: {},
    };
  });
  const last = sizes.length - 1;
  return {
    ...request.model,
    graph: {
      inputs: [{ name: "v0", datatype: "FP32", shape: [-1, sizes[0] ?? 1] }],
      outputs: [{ name: `v${last}`, datatype: "FP32", shape: [-1, sizes[last] ?? 1] }],
      nodes,
      constants,
      shapes: new Map(),
      opset: 17,
    },
  };
}

import { describe, expect, it } from "vitest";
import type { Graph } from "@/compiler";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { scaledGraph, softmaxGraph, withEnd } from "@/tests/support/compiler/softmax-graph";
import { findForecast } from "../forecast";
import { runReference } from "../reference/reference";
import { bondmachineEngine as engine } from ".";

const base = planRequest("iris-mlp", "alveo-u50", { card: null });
const hardware = { flow: "neuralbond", softmax: "hardware" } as const;
const planOf = (graph: Graph, options: Readonly<Record<string, unknown>> = hardware) =>
  engine.plan({ ...base, model: { ...base.model, graph }, options });
const forecastOf = (graph: Graph, options: Readonly<Record<string, unknown>> = hardware) => {
  const outline = engine.outline?.({ ...base.model, graph }, null);
  const forecasts = findForecast("bondmachine");
  if (!outline || !forecasts) throw new TypeError("machines have forecasts");
  return forecasts.forecast(outline, base.board, options);
};
const small = scaledGraph(softmaxGraph([3, 2]), 0.1);
const configOf = (plan: ReturnType<typeof planOf>) =>
  JSON.parse(String(plan.files.get("cfg.json")));
/** An output of its own that names the largest score. */
function withLabel(graph: Graph): Graph {
  const scores = graph.nodes.at(-1)?.inputs[0] ?? "";
  const node = { name: "label", operator: "ArgMax", domain: "", inputs: [scores] };
  return {
    ...graph,
    nodes: [...graph.nodes, { ...node, outputs: ["label"], attributes: { axis: 1, keepdims: 0 } }],
    outputs: [{ name: "label", datatype: "INT64", shape: [-1] }, ...graph.outputs],
    shapes: new Map([...graph.shapes, ["label", [-1]]]),
  };
}

describe("softmax in hardware", () => {
  it("puts a layer of softmax behind the scores, and the host applies none", () => {
    const plan = planOf(small, { ...hardware, expprec: 7 });
    expect(plan.io.outputs).toEqual([
      expect.objectContaining({ activation: "none", activated: "softmax", float: "FP32" }),
    ]);
    const { Nodes, Weights } = JSON.parse(String(plan.files.get("net.json")));
    const typesAt = (layer: number) =>
      Nodes.filter(({ Layer }: { Layer: number }) => Layer === layer).map(
        ({ Type }: { Type: string }) => Type,
      );
    expect([1, 2, 3].map(typesAt)).toEqual([
      ["summation", "summation"],
      ["softmax", "softmax"],
      ["output", "output"],
    ]);
    const mesh = Weights.filter(({ Layer }: { Layer: number }) => Layer === 2);
    expect(mesh).toHaveLength(4);
    for (const { Value } of mesh) expect(Value).toBe(1);
    expect(configOf(plan)).toEqual({
      Params: { expprec: "7" },
      Collapsed: expect.arrayContaining([["weightfi_1_0__2_1", "weightfi_1_1__2_1", "node_2_1"]]),
    });
    expect(plan.forecast.machine?.layers).toContainEqual(
      expect.objectContaining({ name: "softmax", softmaxTerms: 7 }),
    );
  });

  it("answers numbers that add up to 1, and near the exact ones where scores are small", () => {
    const { reference, vectors } = planOf(small, { ...hardware, expprec: 25 });
    const view = new DataView(new ArrayBuffer(4));
    const realOf = (word: number) => {
      view.setInt32(0, word);
      return view.getFloat32(0);
    };
    for (const row of vectors.slice(0, 50)) {
      const run = runReference(reference!, new Int32Array(row.slice().buffer));
      const [, scores = []] = [...run.nodes.values()].slice(-2).reverse();
      const powers = scores.map((word) => Math.exp(realOf(word)));
      const sum = powers.reduce((total, power) => total + power, 0);
      for (const [at, word] of run.output.entries()) {
        expect(realOf(word)).toBeCloseTo((powers[at] ?? 0) / sum, 5);
      }
    }
  });

  it("computes in float32 where nobody says, and in as few terms as hold the scores", () => {
    const plan = planOf(small);
    expect(plan.forecast.machine?.type).toBe("float32");
    const chosen = Number(configOf(plan).Params.expprec);
    expect(chosen).toBeLessThan(10);
    const notes = plan.forecast.notes?.join(" ");
    expect(notes).toMatch(/Softmax by \d terms? in hardware.*The scores of all \d+ rows/);
    const more = planOf(scaledGraph(small, 3));
    expect(Number(configOf(more).Params.expprec)).toBeGreaterThan(chosen);
  });

  it.each([1, 50])("takes %d terms", (expprec) => {
    expect(configOf(planOf(small, { ...hardware, expprec }))).toMatchObject({
      Params: { expprec: String(expprec) },
    });
  });

  it.each([0, 51, -5, 1.5, "5", "5; rm", Number.NaN, null])("takes no %o terms", (expprec) => {
    expect(() => planOf(small, { ...hardware, expprec })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID", field: "options.expprec" }),
    );
    const lack = expect.stringContaining("cannot be: expprec");
    expect(forecastOf(small, { ...hardware, expprec })).toMatchObject({ fits: false, lack });
  });

  it.each([
    {
      options: { ...hardware, flow: "direct" },
      field: "softmax",
      message: /neuralbond's, not of direct/,
    },
    { options: { softmax: "hardware" }, field: "softmax", message: /not of direct/ },
    {
      options: { ...hardware, dataType: "fps16f8" },
      field: "softmax",
      message: /float32, not fps16f8/,
    },
    {
      options: { ...hardware, dataType: "float16" },
      field: "softmax",
      message: /float32, not float16/,
    },
    { options: { flow: "neuralbond", expprec: 5 }, field: "expprec", message: /the host does it/ },
    { options: { ...hardware, softmax: "board" }, field: "softmax", message: /host/ },
  ])("refuses $options, and so does the forecast", ({ options, field, message }) => {
    expect(() => planOf(small, options)).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field: `options.${field}`,
        message: expect.stringMatching(message),
      }),
    );
    if (options.softmax !== "board") {
      expect(forecastOf(small, options)).toMatchObject({
        fits: false,
        lack: expect.stringMatching(message),
      });
    }
  });

  it.each([
    { why: "has none", graph: denseGraph([3, 2]), message: /is the scores themselves/ },
    {
      why: "ends in a sigmoid",
      graph: withEnd(denseGraph([3, 2]), "Sigmoid", "p"),
      message: /ends in sigmoid/,
    },
    {
      why: "has too many scores",
      graph: softmaxGraph([2, 121]),
      message: /121 scores, and 120 are the most/,
    },
  ])("is refused where the model $why", ({ graph, message }) => {
    expect(() => planOf(graph)).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field: "options.softmax",
        message: expect.stringMatching(message),
      }),
    );
    const lack = expect.stringMatching(message);
    expect(forecastOf(graph)).toMatchObject({ fits: false, lack });
    // What nobody asks of the hardware is as it was.
    expect(planOf(graph, {}).io.outputs[0]).not.toHaveProperty("activated");
  });

  it("goes with a label of the same scores", () => {
    const { io } = planOf(withLabel(small));
    expect(io.outputs.map(({ activation, activated }) => ({ activation, activated }))).toEqual([
      { activation: "argmax", activated: undefined },
      { activation: "none", activated: "softmax" },
    ]);
  });

  it("is refused for each of two outputs that have scores of their own", () => {
    const graph = denseGraph([3, 4, 2]);
    const hidden = graph.nodes.at(-1)?.inputs[0] ?? "";
    const [, weights = "", bias = ""] = graph.nodes.at(-1)?.inputs ?? [];
    const other = { name: "other", operator: "Gemm", domain: "", outputs: ["other"] };
    const [output] = graph.outputs;
    const two = {
      ...graph,
      nodes: [
        ...graph.nodes,
        { ...other, inputs: [hidden, weights, bias], attributes: { transB: 1, alpha: 0.5 } },
      ],
      shapes: new Map([...graph.shapes, ["other", [-1, 2]]]),
    };
    const ends = ["first", "second"].map((name, at) => {
      const of = { ...output!, name: at === 0 ? output!.name : "other" };
      return withEnd({ ...two, outputs: [of] }, "Softmax", name);
    });
    const both: Graph = {
      ...two,
      nodes: [...two.nodes, ...ends.map((end) => end.nodes.at(-1)!)],
      shapes: new Map(ends.flatMap((end) => [...end.shapes])),
      outputs: ends.flatMap((end) => end.outputs),
    };
    expect(planOf(both, {}).io.outputs).toHaveLength(2);
    expect(() => planOf(both)).toThrow(
      expect.objectContaining({
        field: "options.softmax",
        message: expect.stringContaining("is of some of the scores only"),
      }),
    );
  });

  it("is no layer among others: a softmax before the last layer is refused by its name", () => {
    const graph = denseGraph([3, 3, 2]);
    const nodes = graph.nodes.map((node) =>
      node.operator === "Relu" ? { ...node, operator: "Softmax", attributes: { axis: -1 } } : node,
    );
    expect(engine.accepts({ ...base.model, graph: { ...graph, nodes } })).toMatchObject({
      ok: false,
      problem: {
        reason: "MODEL_UNSUPPORTED",
        message: expect.stringMatching(/node .* is a Softmax between layers/),
      },
    });
  });

  it("says in words that scores of millions are answered wrongly, before and in the build", () => {
    const graph = scaledGraph(softmaxGraph([3, 2]), 1e6);
    const { notes = [] } = planOf(graph, { ...hardware, expprec: 5 }).forecast;
    expect(notes.join(" ")).toMatch(/Of (\d+) rows \1 have scores beyond that.*answered wrongly/);
    expect(forecastOf(graph, { ...hardware, expprec: 5 })).toMatchObject({
      fits: true,
      warning: expect.stringMatching(/5 terms holds? scores from -1\.17 to 1\.78/),
    });
  });

  it("is refused where it answers no number", () => {
    expect(() =>
      planOf(scaledGraph(softmaxGraph([3, 2]), 1e12), { ...hardware, expprec: 5 }),
    ).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field: "options.softmax",
        message: expect.stringMatching(/answers no number to \d+ of \d+ rows/),
      }),
    );
  });

  it("costs cells and cycles, in the forecast as in the plan", () => {
    const options = { ...hardware, expprec: 10 };
    const { forecast } = planOf(small, options);
    const guess = forecastOf(small, options);
    const host = forecastOf(small, { flow: "neuralbond", dataType: "float32" });
    if (!guess.fits || !host.fits) throw new Error("both fit the largest board");
    expect(guess.cycles.expected).toBe(forecast.latencyCycles);
    expect(guess.lut.expected).toBe(forecast.resources.find(({ id }) => id === "lut")?.used);
    expect(guess.lut.expected).toBeGreaterThan(1.5 * host.lut.expected);
    expect(guess.cycles.expected).toBeGreaterThan(4 * host.cycles.expected);
    expect(guess.warning).toBeUndefined();
    const offered = findForecast("bondmachine")?.candidates(options, base.board) ?? [];
    expect(offered.flatMap(({ fits }) => fits)).toContainEqual({
      title: "Softmax by the host",
      options: { flow: "neuralbond" },
    });
  });
});

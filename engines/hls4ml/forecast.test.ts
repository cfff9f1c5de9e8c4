import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { Outline } from "@/lib/common/contract";
import { attentionNet } from "@/tests/support/compiler/attention-net";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { getEngine } from "..";
import type { FormOptions } from "../engine-forecast";
import { findForecast } from "../forecast";
import { adderOutlineSchema } from "./open/adder-outline";

const engine = getEngine("hls4ml");
const { model, card } = planRequest("iris-mlp", "ulx3s-25f");
const outline = engine.outline?.(model, card);
const forecastOn = (board: string, options: FormOptions = {}) => {
  const forecast = findForecast("hls4ml");
  if (!forecast || !outline) throw new Error("the sample has an outline");
  return forecast.forecast(outline, getBoardModel(board), options);
};

describe("the forecast of da4ml's adders", () => {
  it.each([{}, { precision: "smallest" }, { levels: 4 }])(
    "says with %j what the plan says",
    (options) => {
      const { forecast, core } = engine.plan(planRequest("iris-mlp", "ulx3s-25f", { options }));
      expect(forecastOn("ulx3s-25f", options)).toMatchObject({
        fits: true,
        lut: { expected: forecast.resources.find(({ id }) => id === "lut")?.used },
        cycles: { expected: core?.latencyCycles },
        flipFlops: { expected: forecast.expected?.figures.ff },
        architecture: forecast.expected?.architecture,
      });
    },
  );

  it("says what does not fit, and what would", () => {
    const board = getBoardModel("icestick");
    expect(forecastOn("icestick")).toMatchObject({
      fits: false,
      lack: expect.stringMatching(/^needs about \d+ logic cells of \d+ usable/),
    });
    const [precisions, boards] = findForecast("hls4ml")?.candidates({}, board) ?? [];
    expect(precisions?.fits.map(({ options }) => options["precision"])).toEqual([
      "balanced",
      "smallest",
      "fastest",
    ]);
    expect(boards?.fits.length).toBeGreaterThan(0);
  });

  it("counts tables of functions, and is nothing for products of two values", () => {
    const { graph } = planRequest("iris-mlp", "cpu").model;
    if (!graph) throw new Error("the sample has a graph");
    const nodes = graph.nodes.map((node) =>
      node.operator === "Relu" ? { ...node, operator: "Tanh" } : node,
    );
    const digitsOf = (outline: Outline | null | undefined) =>
      adderOutlineSchema.parse(outline?.cores["adders"]).precisions["smallest"]?.digits ?? 0;
    const tabled = engine.outline?.({ ...model, graph: { ...graph, nodes } }, card);
    expect(digitsOf(tabled)).toBeGreaterThan(1.2 * digitsOf(engine.outline?.(model, card)));
    const attention = { ...model, graph: attentionNet({ tokens: 2, width: 2, heads: 1 }) };
    expect(() => engine.outline?.(attention, null)).toThrow(/becomes a product of two values/);
  });
});

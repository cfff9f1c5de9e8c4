import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { getEngine } from "..";
import type { FormOptions } from "../engine-forecast";
import { findForecast } from "../forecast";

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

  it("is nothing for what no adders are made of", () => {
    const graph = planRequest("iris-mlp", "cpu").model.graph;
    if (!graph) throw new Error("the sample has a graph");
    const nodes = graph.nodes.map((node) =>
      node.operator === "Relu" ? { ...node, operator: "Tanh" } : node,
    );
    expect(() => engine.outline?.({ ...model, graph: { ...graph, nodes } }, card)).toThrow(
      /becomes a table of a function/,
    );
  });
});

import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { recordedGraph } from "@/tests/support/bondmachine/recordings";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { findForecast } from "../forecast";
import { bondmachineEngine as engine } from ".";

const board = getBoardModel("ulx3s-85f");
const base = planRequest("iris-mlp", "ulx3s-85f");
const graph = denseGraph([8, 6, 5, 3]);
const model = { ...base.model, graph };
const outline = engine.outline!(model, null)!;
const { forecast, candidates } = findForecast("bondmachine")!;
const usedIn = (resources: readonly { id: string; used: number }[], id: string) =>
  resources.find((each) => each.id === id)?.used;

describe("the forecast of a machine", () => {
  it.each([
    {},
    { dataType: "fps16f8" },
    { dataType: "fps32f16" },
    { dataType: "float16" },
    { dataType: "float32" },
    { dataType: "fps16f8", prune: 0.3 },
    { dataType: "float32", prune: 0.57 },
    { dataType: "fps16f8", prune: 1 },
    { flow: "neuralbond" },
    { dataType: "fps32f16", flow: "neuralbond", collapse: false, prune: 0.5 },
  ])("is what the plan says of %o before any tool runs", (options) => {
    const report = engine.plan({ ...base, model, card: null, options }).forecast;
    const guess = forecast(outline, board, options);
    if (!guess.fits) throw new Error(guess.lack);
    expect(guess.cycles.expected).toBe(report.latencyCycles);
    expect(guess.lut.expected).toBe(usedIn(report.resources, "lut"));
    expect(guess.dsp.expected).toBe(usedIn(report.resources, "dsp"));
    expect(guess.clockHz).toBe(report.clockHz);
    expect(report.expected).toMatchObject({
      architecture: guess.architecture,
      figures: { ff: guess.flipFlops.expected },
    });
  });

  it("changes with each option at once: fewer links, wider words, a clock", () => {
    const cells = (options: Record<string, unknown>) => {
      const guess = forecast(outline, board, options);
      return guess.fits ? guess.lut.expected : Number.NaN;
    };
    const whole = cells({ dataType: "fps16f8" });
    expect(cells({ dataType: "fps16f8", prune: 0.4 })).toBeLessThan(whole);
    expect(cells({ dataType: "fps32f16" })).toBeGreaterThan(whole);
    const [slowest = 0] = [...board.standardClocksHz].sort((a, b) => a - b);
    expect(forecast(outline, board, { clockHz: slowest })).toMatchObject({ clockHz: slowest });
  });

  it("says what is lacking where the plan refuses, and what would fit", () => {
    const icebreaker = getBoardModel("icebreaker");
    const large = { ...base.model, graph: recordedGraph("16-16-8-8-5-relu-fps16f8") };
    const options = { dataType: "fps32f16" };
    const sizes = engine.outline!(large, null)!;
    const guess = forecast(sizes, icebreaker, options);
    expect(guess).toMatchObject({ fits: false, lack: expect.stringContaining("logic cells of") });
    expect(() =>
      engine.plan({ ...base, model: large, card: null, board: icebreaker, options }),
    ).toThrow(expect.objectContaining({ reason: "MODEL_TOO_LARGE" }));
    const fits = candidates(options, icebreaker).flatMap((each) => each.fits);
    expect(fits.map(({ title }) => title)).toEqual(
      expect.arrayContaining(["Numbers of fps16f8", expect.stringMatching(/^On /)]),
    );
  });

  it("knows by itself which numbers a build would choose", () => {
    const quiet = recordedGraph("4-1-2-fps16f8");
    const constants = new Map(
      [...quiet.constants].map(([name, each]) => [
        name,
        { ...each, values: each.values.map((value) => value * 30) },
      ]),
    );
    const formOf = (of: typeof quiet) => {
      const guess = forecast(engine.outline!({ ...base.model, graph: of }, null)!, board, {});
      return guess.fits && guess.form;
    };
    expect(formOf(quiet)).toBe("3 processors of fps16f8");
    expect(formOf({ ...quiet, constants })).toBe("3 processors of fps32f16");
  });
});

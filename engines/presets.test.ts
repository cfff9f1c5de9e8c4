import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { presetIds } from "@/lib/common/contract";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { listEngines } from ".";
import type { FormOptions } from "./engine-forecast";
import { findForecast } from "./forecast";

const withPresets = listEngines().flatMap((engine) =>
  engine.presets ? [{ id: engine.id, engine, presets: engine.presets }] : [],
);

describe("presets of engines", () => {
  it("are there for every engine that makes designs of its own", () => {
    expect(withPresets.map(({ id }) => id)).toEqual([
      "boardwalk",
      "bondmachine",
      "hls4ml",
      "conifer",
    ]);
  });

  it.each(withPresets)("$id takes the options of its presets", ({ engine, presets }) => {
    expect(presets.map(({ id }) => id)).toEqual(presetIds);
    for (const { options } of presets) {
      expect(engine.optionsSchema.safeParse(options).error).toBeUndefined();
    }
  });

  it.each(
    withPresets
      .filter(({ engine }) => engine.outline)
      .flatMap((each) =>
        (["iris-mlp", "jets-small-mlp"] as const).map((sample) => ({ ...each, sample })),
      ),
  )("keep what they promise: $id with $sample", ({ id, engine, presets, sample }) => {
    const board = getBoardModel("ulx3s-85f");
    const { model, card } = planRequest(sample, board.id);
    const outline = engine.outline?.(model, card);
    const come = (options: FormOptions) => {
      const guess = outline && findForecast(id)?.forecast(outline, board, options);
      if (!guess?.fits) throw new Error(`${JSON.stringify(options)} does not fit`);
      return { lut: guess.lut.expected, time: guess.microseconds };
    };
    const [smallest, balanced, fastest] = presets.map(({ options }) => come(options));
    const usual = come({});
    if (!smallest || !balanced || !fastest) throw new Error("three presets");
    for (const other of [balanced, fastest, usual])
      expect(smallest.lut).toBeLessThanOrEqual(other.lut);
    for (const other of [smallest, balanced, usual])
      expect(fastest.time).toBeLessThanOrEqual(other.time);
    expect(balanced.lut).toBeLessThanOrEqual(usual.lut);
  });
});

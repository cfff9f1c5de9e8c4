import { describe, expect, it } from "vitest";
import { presetChoices, presetOn, presetState } from "./presets";

const engine = {
  presets: [
    { id: "smallest" as const, options: { precision: "smallest", lanes: 1 } },
    { id: "fastest" as const, options: { precision: "fastest" } },
  ],
};

describe("presets of an engine", () => {
  it("are offered with what the engine does by itself first, or not at all", () => {
    expect(presetChoices(engine).map(({ id }) => id)).toEqual(["usual", "smallest", "fastest"]);
    expect(presetChoices({ presets: [] })).toEqual([]);
  });

  it.each([
    { why: "nothing was chosen", preset: null, options: {}, state: { id: "usual", changed: [] } },
    {
      why: "one was chosen",
      preset: "smallest" as const,
      options: { precision: "smallest", lanes: 1 },
      state: { id: "smallest", changed: [] },
    },
    {
      why: "an address gave the very options of one, in another order",
      preset: null,
      options: { lanes: 1, precision: "smallest" },
      state: { id: "smallest", changed: [] },
    },
    {
      why: "an option was tuned, one taken out, one added",
      preset: "smallest" as const,
      options: { precision: "balanced", clockHz: 12e6 },
      state: { id: "smallest", changed: ["precision", "lanes", "clockHz"] },
    },
    {
      why: "an earlier request had options of nobody",
      preset: null,
      options: { lanes: 3 },
      state: { id: "usual", changed: ["lanes"] },
    },
    {
      why: "this engine has none of that name",
      preset: "balanced" as const,
      options: { precision: "fastest" },
      state: { id: "fastest", changed: [] },
    },
  ])("say where options come from when $why", ({ preset, options, state }) => {
    expect(presetState({ preset, options }, engine)).toEqual(state);
  });

  it("go along to another engine by name, and fall back to its own where it has none", () => {
    expect(presetOn("fastest", engine)).toEqual({
      preset: "fastest",
      options: { precision: "fastest" },
    });
    expect(presetOn("balanced", engine)).toEqual({ preset: null, options: {} });
    expect(presetOn("fastest", undefined)).toEqual({ preset: null, options: {} });
  });
});

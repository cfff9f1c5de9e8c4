import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { loadSample } from "@/tests/support/compiler/samples";
import { estimateDesign } from "../design";
import { lowerDense } from "../lower/dense";
import { precisions } from "../passes/precision";
import { targetOf } from "./part";

describe("cells of an array on Gowin", () => {
  it("are within 10 % of what was placed, lone flip-flops counted", () => {
    const { graph, card } = loadSample("digits-mlp");
    const { integerGraph } = lowerDense({
      graph,
      inputRange: card.inputRange ?? null,
      calibration: null,
      precision: precisions["exact-ish"],
    });
    const estimate = estimateDesign({
      graph: integerGraph,
      board: targetOf(getBoardModel("tang-primer-20k")),
      architecture: "array",
      lanes: 32,
    });
    // Logic cells placed by nextpnr 0.11, shell and all: docs/compiler-figures.md.
    expect(Math.abs(estimate.lut / 4025 - 1)).toBeLessThan(0.1);
  });
});

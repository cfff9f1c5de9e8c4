import { describe, expect, it } from "vitest";
import { familyCosts } from "@/boards";
import { loadSample } from "@/tests/support/compiler/samples";
import { lowerDense } from "../../lower/dense";
import { precisions } from "../../passes/precision";
import { shellCells } from "../../target/shell";
import { unroll } from "./design-unrolled";

// Logic cells placed by nextpnr 0.11, shell and all: docs/compiler-figures.md.
const placed = [
  { sample: "iris-mlp", family: "ecp5", cells: 4496, why: "ends of carry chains take cells" },
  { sample: "iris-mlp", family: "gowin", cells: 6015, why: "lone flip-flops take a table each" },
] as const;

describe("cells of an unrolled network", () => {
  it.each(placed)(
    "of $sample on $family are within 10 % of what was placed: $why",
    {
      timeout: 60_000,
    },
    ({ sample, family, cells }) => {
      const { graph, card } = loadSample(sample);
      const { integerGraph } = lowerDense({
        graph,
        inputRange: card.inputRange ?? null,
        calibration: null,
        precision: precisions["exact-ish"],
      });
      const estimate =
        unroll(integerGraph, { costs: familyCosts(family) }).estimate.lut + shellCells.lut;
      expect(Math.abs(estimate / cells - 1)).toBeLessThan(0.1);
    },
  );
});

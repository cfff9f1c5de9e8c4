import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { Outline } from "@/lib/common/contract";
import { denseOutline } from "@/tests/support/compiler/dense-outline";
import { loadSample } from "@/tests/support/compiler/samples";
import { lower, outlineOf, targetOf } from "..";
import { unroll } from "../architectures/unrolled/design-unrolled";
import { forecast, precisions } from ".";

const board = getBoardModel("icebreaker");

describe("forecast", () => {
  it("knows the exact cycles and is near the cells of a placed design", () => {
    const result = forecast({ outline: denseOutline([64, 32, 32, 10]), board });
    expect(result).toMatchObject({
      fits: true,
      lanes: 16,
      cycles: { expected: 236, low: 236, high: 236 },
      clockHz: 42e6,
    });
    if (!result.fits) return;
    // Placed with shell and top: 1,970 cells, 14 block RAMs, 8 multiplier blocks.
    expect(result.lut.low).toBeLessThanOrEqual(1970);
    expect(result.lut.high).toBeGreaterThanOrEqual(1970);
    expect(result.bramBlocks.expected).toBe(14);
    expect(result.dsp.expected).toBe(8);
    expect(result.microseconds).toBeCloseTo(236 / 42, 6);
  });

  it("takes no more lanes than make it faster", () => {
    const one = forecast({ outline: denseOutline([20, 3]), board, architecture: "array" });
    expect(one).toMatchObject({ fits: true, lanes: 3 });
  });

  it("says what is lacking and which sizes would fit", () => {
    const result = forecast({ outline: denseOutline([784, 64, 10]), board });
    expect(result.fits).toBe(false);
    if (result.fits || !result.nearest) throw new Error("expected a nearest fit");
    expect(result.lack).toMatch(/needs \d+ block RAMs of 30/);
    expect(forecast({ outline: denseOutline(result.nearest), board }).fits).toBe(true);
  });

  it.each(
    (["iris-mlp", "jets-small-mlp"] as const).flatMap((id) =>
      (["exact-ish", "balanced", "smallest", "fastest"] as const).map((named) => ({ id, named })),
    ),
  )(
    "guesses $id unrolled at $named within its band where no network was built",
    ({ id, named }) => {
      const large = getBoardModel("ulx3s-85f");
      const { graph, card } = loadSample(id);
      const outline = outlineOf(graph, card.inputRange);
      const { unrolled = {}, ...cores } = outline.cores;
      const uncounted = { ...outline, cores: { ...cores, unrolled: { ...unrolled, built: [] } } };
      const ask = (of: Outline) => {
        const precision = precisions[named];
        const result = forecast({ outline: of, board: large, architecture: "unrolled", precision });
        if (!result.fits) throw new Error("expected it to fit");
        return result;
      };
      const [counted, guessed] = [ask(outline), ask(uncounted)];
      expect(guessed.lut.low).toBeLessThanOrEqual(counted.lut.expected);
      expect(guessed.lut.high).toBeGreaterThanOrEqual(counted.lut.expected);
      expect(guessed.cycles.low).toBeLessThanOrEqual(counted.cycles.expected);
      expect(guessed.cycles.high).toBeGreaterThanOrEqual(counted.cycles.expected);
    },
  );

  it("moves what is usual at other bits to the nets that were built at the nearest", () => {
    const large = getBoardModel("ulx3s-85f");
    const { graph, card } = loadSample("iris-mlp");
    const outline = outlineOf(graph, card.inputRange);
    const at = (weightBits: number) => {
      const precision = { inputBits: 8, weightBits: [weightBits] as const, activationBits: 8 };
      const result = forecast({ outline, board: large, architecture: "unrolled", precision });
      if (!result.fits) throw new Error("expected it to fit");
      return result.lut.expected;
    };
    const { integerGraph } = lower({
      graph,
      inputRange: card.inputRange ?? null,
      calibration: null,
      precision: { inputBits: 8, weightBits: [7], activationBits: 8 },
    });
    const made = unroll(integerGraph, targetOf(large)).estimate.lut + 640;
    expect(Math.abs(at(7) / made - 1)).toBeLessThan(0.08);
    expect(at(7)).toBeLessThan(at(8));
    expect(at(7)).toBeGreaterThan(at(6));
  });

  it("takes the array where that is asked for, or unrolled is too large", () => {
    const large = getBoardModel("ulx3s-85f");
    expect(
      forecast({ outline: denseOutline([4, 16, 8, 3]), board: large, architecture: "array" }),
    ).toMatchObject({
      fits: true,
      lanes: 8,
    });
    expect(forecast({ outline: denseOutline([64, 32, 32, 10]), board: large })).toMatchObject({
      fits: true,
    });
    expect(
      forecast({ outline: denseOutline([64, 32, 32, 10]), board, architecture: "unrolled" }),
    ).toMatchObject({
      fits: false,
      lack: expect.stringMatching(/cells .* when unrolled/),
    });
  });
});

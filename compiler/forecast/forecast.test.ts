import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { denseOutline } from "@/tests/support/compiler/dense-outline";
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

  it.each([
    { sizes: [4, 16, 8, 3], bits: "exact-ish", lut: 5218, cycles: 20 },
    { sizes: [4, 16, 8, 3], bits: "balanced", lut: 3824, cycles: 19 },
    { sizes: [16, 16, 8, 8, 5], bits: "exact-ish", lut: 12084, cycles: 29 },
    { sizes: [16, 16, 8, 8, 5], bits: "smallest", lut: 6003, cycles: 23 },
  ] as const)(
    "guesses $sizes unrolled at $bits from sizes alone",
    ({ sizes, bits, lut, cycles }) => {
      const large = getBoardModel("ulx3s-85f");
      const result = forecast({
        outline: denseOutline(sizes),
        board: large,
        precision: precisions[bits],
      });
      if (!result.fits) throw new Error("expected it to fit");
      expect(result.lanes).toBeNull();
      // What the compiler estimates once it has the samples' weights, and 640 cells for the shell.
      expect(result.lut.low).toBeLessThanOrEqual(lut + 640);
      expect(result.lut.high).toBeGreaterThanOrEqual(lut + 640);
      expect(result.cycles.low).toBeLessThanOrEqual(cycles);
      expect(result.cycles.high).toBeGreaterThanOrEqual(cycles);
    },
  );

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

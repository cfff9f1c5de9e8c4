import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { forecast } from ".";

const board = getBoardModel("icebreaker");

describe("forecast", () => {
  it("knows the exact cycles and is near the cells of a placed design", () => {
    const result = forecast({ sizes: [64, 32, 32, 10], board });
    expect(result).toMatchObject({ fits: true, lanes: 8, cycles: 462, clockHz: 48e6 });
    if (!result.fits) return;
    // Placed with shell and top: 1,378 cells, 14 block RAMs.
    expect(result.lut.low).toBeLessThanOrEqual(1378);
    expect(result.lut.high).toBeGreaterThanOrEqual(1378);
    expect(result.bramBlocks.expected).toBe(14);
    expect(result.microseconds).toBeCloseTo(462 / 48, 6);
  });

  it("takes no more lanes than make it faster", () => {
    const one = forecast({ sizes: [20, 3], board });
    expect(one).toMatchObject({ fits: true, lanes: 3 });
  });

  it("says what is lacking and which sizes would fit", () => {
    const result = forecast({ sizes: [784, 64, 10], board });
    expect(result.fits).toBe(false);
    if (result.fits || !result.nearest) throw new Error("expected a nearest fit");
    expect(result.lack).toMatch(/needs \d+ block RAMs of 30/);
    expect(forecast({ sizes: result.nearest, board }).fits).toBe(true);
  });
});

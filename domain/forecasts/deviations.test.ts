import { describe, expect, it } from "vitest";
import { forecastDeviations, type Measured } from "./deviations";

const build = (lut: number, measured: number, family = "ice40"): Measured => ({
  expected: {
    family,
    architecture: "array",
    clockHz: 48e6,
    figures: { lut, bram: 4, dsp: 0, cycles: 462, seconds: 30 },
  },
  measured: { lut: measured, ff: null, bram: 4, dsp: 0, cycles: 462, seconds: null, clock: null },
});

describe("forecastDeviations", () => {
  it("tells the middle and the tenths of what was measured by what was expected", () => {
    const builds = [1000, 1100, 1200, 1300, 1400].map((measured) => build(1000, measured));
    const lut = forecastDeviations(builds).find(({ figure }) => figure === "lut");
    expect(lut).toMatchObject({ family: "ice40", architecture: "array", builds: 5 });
    expect(lut?.medianRatio).toBeCloseTo(1.2);
    expect(lut?.lowRatio).toBeCloseTo(1.04);
    expect(lut?.highRatio).toBeCloseTo(1.36);
    expect(lut?.medianError).toBeCloseTo(200 / 1200);
  });

  it("keeps families apart and leaves out what has no ratio", () => {
    const deviations = forecastDeviations([build(1000, 900), build(1000, 1100, "ecp5")]);
    expect(deviations.map(({ family, figure }) => `${family} ${figure}`)).toEqual([
      "ecp5 bram",
      "ecp5 cycles",
      "ecp5 lut",
      "ice40 bram",
      "ice40 cycles",
      "ice40 lut",
    ]);
  });

  it("holds the clock that was reached against the one that was expected", () => {
    const { expected, measured } = build(1000, 900);
    const deviations = forecastDeviations([{ expected, measured: { ...measured, clock: 24e6 } }]);
    expect(deviations.find(({ figure }) => figure === "clock")).toMatchObject({ medianRatio: 0.5 });
  });

  it("has nothing to tell of no builds", () => {
    expect(forecastDeviations([])).toEqual([]);
  });
});

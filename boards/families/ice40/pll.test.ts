import { describe, expect, it } from "vitest";
import { pllSettings } from "./pll";

describe("pllSettings", () => {
  // What icepll of the IceStorm tools answers to the same question.
  it.each([
    { inMhz: 12, outMhz: 48, divr: 0, divf: 63, divq: 4, filterRange: 1 },
    { inMhz: 12, outMhz: 36, divr: 0, divf: 47, divq: 4, filterRange: 1 },
    { inMhz: 12, outMhz: 24, divr: 0, divf: 63, divq: 5, filterRange: 1 },
    { inMhz: 12, outMhz: 60, divr: 0, divf: 79, divq: 4, filterRange: 1 },
    { inMhz: 12, outMhz: 16, divr: 0, divf: 84, divq: 6, filterRange: 1 },
    { inMhz: 16, outMhz: 48, divr: 0, divf: 47, divq: 4, filterRange: 1 },
    { inMhz: 25, outMhz: 48, divr: 1, divf: 60, divq: 4, filterRange: 1 },
    { inMhz: 48, outMhz: 30, divr: 0, divf: 19, divq: 5, filterRange: 4 },
    { inMhz: 100, outMhz: 48, divr: 2, divf: 22, divq: 4, filterRange: 3 },
  ])("makes $outMhz from $inMhz MHz as icepll does", ({ inMhz, outMhz, ...settings }) => {
    expect(pllSettings(inMhz * 1e6, outMhz * 1e6)).toMatchObject(settings);
  });

  it("keeps the oscillator within 533 to 1066 MHz and says what it really makes", () => {
    for (let outHz = 16e6; outHz <= 275e6; outHz += 1.7e6) {
      const pll = pllSettings(12e6, outHz);
      if (pll === null) throw new Error(`nothing near ${outHz}`);
      const vcoHz = (12e6 / (pll.divr + 1)) * (pll.divf + 1);
      expect(vcoHz).toBeGreaterThanOrEqual(533e6);
      expect(vcoHz).toBeLessThanOrEqual(1066e6);
      expect(pll.outHz).toBeCloseTo(vcoHz / 2 ** pll.divq, 3);
    }
  });

  it.each([15e6, 276e6])("makes no %d Hz", (hz) => expect(pllSettings(12e6, hz)).toBeNull());
});

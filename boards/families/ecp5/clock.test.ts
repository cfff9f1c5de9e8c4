import { describe, expect, it } from "vitest";
import { pllSettings } from "./clock";

describe("the PLL of ecp5", () => {
  it.each([
    [25e6, 100e6, 4, 1],
    [25e6, 75e6, 3, 1],
    [12e6, 48e6, 4, 1],
    [48e6, 72e6, 3, 2],
    [100e6, 75e6, 3, 4],
  ])("makes %d into %d Hz", (inHz, outHz, feedback, reference) => {
    const settings = pllSettings(inHz, outHz);
    expect(settings).toMatchObject({ feedback, reference });
    const oscillatorHz = outHz * (settings?.output ?? 0);
    expect(oscillatorHz).toBeGreaterThanOrEqual(400e6);
    expect(oscillatorHz).toBeLessThanOrEqual(800e6);
  });

  it("refuses what it cannot make exactly, or not within its limits", () => {
    expect(pllSettings(25e6, 33e6 + 1)).toBeNull();
    expect(pllSettings(25e6, 1e6)).toBeNull();
    expect(pllSettings(25e6, 900e6)).toBeNull();
  });
});

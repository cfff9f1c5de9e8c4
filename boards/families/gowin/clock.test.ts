import { describe, expect, it } from "vitest";
import { pllSettings } from "./clock";

describe("the PLL of gowin", () => {
  it.each([
    [27e6, 54e6, 2, 1],
    [27e6, 81e6, 3, 1],
    [27e6, 40.5e6, 3, 2],
    [27e6, 108e6, 4, 1],
  ])("makes %d into %d Hz", (inHz, outHz, feedback, reference) => {
    const settings = pllSettings(inHz, outHz);
    expect(settings).toMatchObject({ feedback, reference });
    const oscillatorHz = outHz * (settings?.output ?? 0);
    expect(oscillatorHz).toBeGreaterThanOrEqual(500e6);
    expect(oscillatorHz).toBeLessThanOrEqual(1200e6);
  });

  it("refuses what it cannot make exactly, or not within its limits", () => {
    expect(pllSettings(27e6, 33e6 + 1)).toBeNull();
    expect(pllSettings(27e6, 2e6)).toBeNull();
    expect(pllSettings(27e6, 900e6)).toBeNull();
  });
});

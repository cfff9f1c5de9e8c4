import { describe, expect, it } from "vitest";
import { splitTime, widthsOf } from "./time-split";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("the time split", () => {
  const timing = {
    gatewayQueueNs: 10_000,
    gatewayNs: 50_000,
    linkNs: 200_000,
    boardQueueNs: 5000,
    hostNs: 40_000,
    computeNs: 1_200_000,
    cycles: 392,
    clockHz: 24e6,
    simulated: true,
  };

  it("adds up to what the browser saw", () => {
    const parts = splitTime(2_000_000, timing);
    expect(sum(parts.map(({ ns }) => ns))).toBeCloseTo(2_000_000, 3);
  });

  it("tells the chip's time at the real clock from the simulator's", () => {
    const parts = splitTime(2_000_000, timing);
    expect(parts.find(({ id }) => id === "chip")?.ns).toBeCloseTo(16_333, 0);
    expect(parts.find(({ id }) => id === "simulator")?.ns).toBeCloseTo(1_183_667, 0);
  });

  it("has no chip on a CPU", () => {
    const parts = splitTime(1e6, { computeNs: 3e5 });
    expect(parts.map(({ id }) => id)).toEqual(["browser", "compute"]);
  });

  it("never gives the browser less than nothing", () => {
    expect(splitTime(10, timing).some(({ ns }) => ns < 0)).toBe(false);
  });

  it.each(["linear", "log"] as const)("fills the bar on the %s scale", (scale) => {
    expect(sum(widthsOf(splitTime(2_000_000, timing), scale))).toBeCloseTo(1);
  });
});

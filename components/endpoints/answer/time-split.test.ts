import { describe, expect, it } from "vitest";
import { chipNs, splitTime, widthsOf } from "./time-split";

const timing = {
  gatewayQueueNs: 10_000,
  gatewayNs: 100_000,
  linkNs: 200_000,
  boardQueueNs: 5_000,
  hostNs: 50_000,
  computeNs: 1_000_000,
  cycles: 240,
  clockHz: 24e6,
  simulated: true,
};

describe("the split of a prediction's time", () => {
  it("accounts for all of it, the browser's share apart", () => {
    const { server, serverNs, outsideNs } = splitTime(2_000_000, timing);
    expect(server.map(({ id }) => id)).toEqual([
      "queue",
      "gateway",
      "link",
      "host",
      "simulator",
      "chip",
    ]);
    expect(server.reduce((sum, { ns }) => sum + ns, 0)).toBe(serverNs);
    expect(serverNs + outsideNs).toBe(2_000_000);
    expect(outsideNs).toBe(635_000);
  });

  it("takes the cycles at the real clock for the chip's time", () => {
    expect(chipNs(timing)).toBe(10_000);
    const { server } = splitTime(2_000_000, timing);
    expect(server.find(({ id }) => id === "chip")?.ns).toBe(10_000);
    expect(server.find(({ id }) => id === "simulator")?.ns).toBe(990_000);
  });

  it("calls a CPU's time computing", () => {
    const { server } = splitTime(1_000_000, { gatewayNs: 1_000, computeNs: 9_000 });
    expect(server).toEqual([
      { id: "gateway", ns: 1_000 },
      { id: "compute", ns: 9_000 },
    ]);
  });

  it("never gives the browser less than nothing", () => {
    expect(splitTime(1, timing).outsideNs).toBe(0);
  });

  it("draws true to scale, or by the logarithm so that little shows beside much", () => {
    const parts = [{ ns: 1_000_000 }, { ns: 100 }];
    expect(widthsOf(parts, "linear")[1]).toBeLessThan(0.001);
    expect(widthsOf(parts, "log")[1]).toBeGreaterThan(0.2);
    expect(widthsOf([], "linear")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { logTicks, tickText, timeTicks, timeUnit, valueTicks } from "./ticks";

describe("the ticks of a value axis", () => {
  it.each([
    { most: 0, ticks: [0, 1] },
    { most: 3.2, ticks: [0, 1, 2, 3, 4] },
    { most: 0.07, ticks: [0, 0.02, 0.04, 0.06, 0.08] },
    { most: 1000, ticks: [0, 250, 500, 750, 1000] },
  ])("up to $most are round, begin at zero and hold it", ({ most, ticks }) => {
    expect(valueTicks(most)).toEqual(ticks);
  });
});

describe("the ticks of a time axis", () => {
  it("are round moments within it, no more than fit", () => {
    const from = Date.UTC(2026, 0, 1, 12, 3);
    const ticks = timeTicks(from, from + 3600_000, 6);
    expect(ticks.map((ms) => new Date(ms).getUTCMinutes())).toEqual([10, 20, 30, 40, 50, 0]);
  });
});

describe("the ticks of a logarithmic axis", () => {
  it("are powers of ten, and more where it is short", () => {
    expect(logTicks(0.1, 2000)).toEqual([0.1, 1, 10, 100, 1000]);
    expect(logTicks(0.4, 12)).toEqual([0.5, 1, 2, 5, 10]);
  });
});

it.each([
  [0.4, "µs"],
  [40, "ms"],
  [4000, "s"],
])("%d ms are told in %s", (ms, unit) => {
  expect(timeUnit(ms).name).toBe(unit);
});

it.each([
  [0.25, "0.25"],
  [4500, "4,500"],
  [700_600, "701K"],
])("%d stands at an axis as %s", (value, text) => {
  expect(tickText(value)).toBe(text);
});

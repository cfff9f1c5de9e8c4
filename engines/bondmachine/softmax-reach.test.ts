import { describe, expect, it } from "vitest";
import { scoresHeld, softmaxReach, termsFor } from "./softmax-reach";

describe("the scores that a number of terms holds to 1 %", () => {
  it.each([
    [1, -0.13, 0.14],
    [3, -0.61, 0.82],
    [5, -1.17, 1.78],
    [10, -2.59, 4.77],
    [15, -4.02, 8.18],
    [20, -5.43, 11.82],
    [25, -6.67, 15.62],
    [50, -6.67, 35.86],
  ])("are of %d terms %d to %d, as the page of the engine says", (terms, low, high) => {
    expect(softmaxReach(terms)).toEqual([low, high]);
    expect(scoresHeld([low, 0, high], terms)).toBe(true);
    expect(scoresHeld([low - 0.02], terms)).toBe(false);
    expect(scoresHeld([high + 0.02], terms)).toBe(false);
  });

  it.each([
    { scores: [-0.1, 0.1] as const, terms: 2 },
    { scores: [-1, 1.5] as const, terms: 6 },
    { scores: [0, 11] as const, terms: 20 },
    { scores: [-50, 50] as const, terms: 24 },
  ])("choose $terms terms for $scores", ({ scores, terms }) => {
    expect(termsFor(scores)).toBe(terms);
  });
});

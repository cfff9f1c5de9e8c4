import { describe, expect, it } from "vitest";
import { withGivenRange } from "./given-range";

const card = { classes: ["no", "yes"], inputRange: { mean: [0, 0], std: [1, 1] } };
const pair = { name: "x", shape: [-1, 2] };

describe("a range that comes with a request", () => {
  it("takes the place of the card's own, and leaves the rest of the card", () => {
    expect(withGivenRange(card, { min: 0, max: [1, 2] }, [pair])).toEqual({
      classes: ["no", "yes"],
      inputRange: { min: [0, 0], max: [1, 2] },
      rangeFrom: "request",
    });
    expect(withGivenRange(null, { min: 0, max: 1 }, [pair])).toEqual({
      inputRange: { min: [0, 0], max: [1, 1] },
      rangeFrom: "request",
    });
  });

  it("changes nothing where none comes", () => {
    expect(withGivenRange(card, undefined, [pair])).toBe(card);
    expect(withGivenRange(null, undefined, [])).toBeNull();
  });

  it.each([
    { range: { min: [0, 0, 0], max: 1 }, inputs: [pair], field: "inputRange.min" },
    { range: { min: 0, max: [1] }, inputs: [pair], field: "inputRange.max" },
    { range: { min: 0, max: [1, 1, 1] }, inputs: [pair, pair], field: "inputRange.max" },
  ])("is refused at $field when it is not about the model", ({ range, inputs, field }) => {
    expect(() => withGivenRange(null, range, inputs)).toThrow(
      expect.objectContaining({ reason: "RANGE_INVALID", field }),
    );
  });
});

import { describe, expect, it } from "vitest";
import { featuresOf } from "./features";

const card = {
  featureNames: ["length", "width"],
  featureUnits: ["cm", ""],
  inputRange: { min: [4, 2], max: [8, 5], mean: [6, 3] },
};

describe("what is known of the values of a row", () => {
  it("is what the card says, of lists that are as long as the row", () => {
    expect(featuresOf({ request: {}, card }, 2)).toEqual({
      names: ["length", "width"],
      units: ["cm", ""],
      min: [4, 2],
      max: [8, 5],
      mean: [6, 3],
    });
    expect(featuresOf({ request: {}, card }, 3)).toBeNull();
    expect(featuresOf({ request: {}, card: null }, 2)).toBeNull();
  });

  it("is before that what the request says, value by value", () => {
    const request = { features: [{ name: "sepal length", max: 9 }, { unit: "mm" }] };
    expect(featuresOf({ request, card }, 2)).toEqual({
      names: ["sepal length", "width"],
      units: ["cm", "mm"],
      min: [4, 2],
      max: [9, 5],
      mean: [6, 3],
    });
    expect(featuresOf({ request, card: null }, 2)).toEqual({
      names: ["sepal length", ""],
      units: ["", "mm"],
      max: [9, null],
    });
    expect(featuresOf({ request, card: null }, 1)).toBeNull();
    expect(featuresOf({ request, card: null }, 3)?.names).toEqual(["sepal length", "", ""]);
  });

  it("has the range that was given for all values as the range of each", () => {
    const request = { inputRange: { min: -1, max: [1, 2] } };
    expect(featuresOf({ request, card }, 2)).toMatchObject({ min: [-1, -1], max: [1, 2] });
  });
});

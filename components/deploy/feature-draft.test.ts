import { describe, expect, it } from "vitest";
import {
  blankFeature,
  featureComplaint,
  featureDrafts,
  givenFeatures,
  withFeature,
} from "./feature-draft";

const feature = (part: Partial<typeof blankFeature>) => ({ ...blankFeature, ...part });

describe("features as typed", () => {
  it("become what a request says, and come back from it", () => {
    const typed = [
      feature({ name: " sepal length ", unit: "cm", min: "−1.5", max: "8" }),
      blankFeature,
    ];
    const given = givenFeatures(typed);
    expect(given).toEqual([{ name: "sepal length", unit: "cm", min: -1.5, max: 8 }, {}]);
    expect(featureDrafts(given ?? undefined)).toEqual([
      feature({ name: "sepal length", unit: "cm", min: "-1.5", max: "8" }),
      blankFeature,
    ]);
    expect(givenFeatures([blankFeature, feature({ name: " " })])).toBeNull();
  });

  it("are typed in any order", () => {
    expect(withFeature([], 1, "unit", "cm")).toEqual([blankFeature, feature({ unit: "cm" })]);
    const known = [feature({ name: "a" }), feature({ name: "b" })];
    expect(withFeature(known, 0, "max", "2")).toEqual([feature({ name: "a", max: "2" }), known[1]]);
  });

  it.each([
    { why: "nothing is typed", typed: [blankFeature, blankFeature], inputs: 1, key: undefined },
    {
      why: "there are more than the model takes",
      typed: [{ name: "a" }, { name: "b" }],
      inputs: 1,
      key: "featureCount",
    },
    {
      why: "the model is not read yet",
      typed: [{ name: "a" }, { name: "b" }],
      inputs: null,
      key: undefined,
    },
    { why: "a bound is no number", typed: [{ min: "four" }], inputs: 1, key: "featureNumber" },
    { why: "a bound is not finite", typed: [{ max: "Infinity" }], inputs: 1, key: "featureNumber" },
    {
      why: "the largest is below the smallest",
      typed: [{ min: "2", max: "1" }],
      inputs: 1,
      key: "featureOrder",
    },
    { why: "one bound is enough", typed: [{ min: "2" }], inputs: 1, key: undefined },
    {
      why: "a unit is a sentence",
      typed: [{ unit: "x".repeat(41) }],
      inputs: 1,
      key: "featureLong",
    },
  ])("are complained about when $why", ({ typed, inputs, key }) => {
    expect(featureComplaint(typed.map(feature), inputs)?.key).toBe(key);
  });
});

import { describe, expect, it } from "vitest";
import { frontOf, idsOf, letterOf, lossOf } from "./compared";

const point = (index: number, cells: number, latencyNs: number) => ({ index, cells, latencyNs });

describe("the Pareto front", () => {
  it("is what no other beats, from small to large", () => {
    const [slow, fast, middle, beaten] = [
      point(0, 1000, 900),
      point(1, 5000, 20),
      point(2, 2000, 400),
      point(3, 2000, 500),
    ] as const;
    expect(frontOf([fast, beaten, slow, middle])).toEqual([slow, middle, fast]);
  });

  it("keeps those that are alike, for neither beats the other", () => {
    expect(frontOf([point(0, 5, 5), point(1, 5, 5)])).toHaveLength(2);
  });
});

describe("the address of a comparison", () => {
  it("names each build once, and no more than fit side by side", () => {
    expect(idsOf("a,b,a,,c")).toEqual(["a", "b", "c"]);
    expect(idsOf("a,b,c,d,e,f,g,h")).toHaveLength(6);
    expect(idsOf(undefined)).toEqual([]);
  });

  it("letters builds as the plot does", () => {
    expect([0, 5].map(letterOf)).toEqual(["A", "F"]);
  });

  it("goes on with two letters, for a model has up to a hundred builds", () => {
    expect([25, 26, 51, 52, 99].map(letterOf)).toEqual(["Z", "AA", "AZ", "BA", "CV"]);
  });
});

describe("the loss of a build", () => {
  it.each([
    [1, "none"],
    [0.9999, "percent"],
    [0.99, "percent"],
    [0.9899, "twentieth"],
    [0.95, "twentieth"],
    [0.9499, "more"],
    [0, "more"],
    [null, "unknown"],
  ] as const)("of agreement %s is %s", (agreement, loss) => {
    expect(lossOf({ agreement })).toBe(loss);
  });
});

import { describe, expect, it } from "vitest";
import type { Build } from "@/lib/common/contract";
import { choosingBuild, shownWeights } from "./shown-weights";

const five = { min: -0.9, q1: -0.25, median: 0, q3: 0.25, max: 0.5 };
const range = { layer: 0, tensor: "w", shape: [4, 3], ...five };
const layer = { name: "dense/MatMul", operator: "MatMul", shape: [3], parameters: 12 };
const outline = { version: 3 as const, inputBytes: 4, outputBytes: 3, cores: {} };
const ofOurs = { outlines: { boardwalk: { ...outline, hasOwnBits: false } } };

const build = (id: string, more: Partial<Build> = {}): Build =>
  ({ id, state: "succeeded", boardKind: "simulated", engine: "boardwalk", ...more }) as Build;

describe("the weights of a model beside the precision of a build", () => {
  it("lie on the finest grid that clips none of them", () => {
    // 8 bits: 127 steps of 1/128 hold 0.99; half the weights lie in 0.5 of its 1.98.
    const [shown] = shownWeights({ weights: [range], layers: [layer] }, build("b"));
    expect(shown).toMatchObject({ name: "dense/MatMul", bits: 8, limit: 127 / 128 });
    expect(shown?.share).toBeCloseTo(0.252, 3);
  });

  it.each([
    [{ precision: "smallest" }, [4, 4]],
    [{ precision: "balanced" }, [6, 6]],
    [{ weightBits: [3, 5] }, [3, 5]],
  ])("have with %j the bits %j", (options, bits) => {
    const weights = [range, { ...range, layer: 1 }];
    const shown = shownWeights({ weights, layers: [layer, layer] }, build("b", { options }));
    expect(shown.map((each) => each.bits)).toEqual(bits);
    for (const { limit = 0 } of shown) expect(limit).toBeGreaterThanOrEqual(0.9);
  });

  it("have no range without a build, or where all of them are nothing", () => {
    const nothing = { ...range, min: 0, q1: 0, median: 0, q3: 0, max: 0 };
    expect(shownWeights({ weights: [range], layers: [layer] }, undefined)[0]?.limit).toBe(
      undefined,
    );
    expect(shownWeights({ weights: [nothing] }, build("b"))[0]?.limit).toBe(undefined);
  });
});

describe("the build that chose the precision", () => {
  it("is the newest that ended well on hardware by an engine which says how", () => {
    const builds = [
      build("failed", { state: "failed" }),
      build("cpu", { boardKind: "cpu" }),
      build("other", { engine: "bondmachine" }),
      build("right"),
      build("older"),
    ];
    expect(choosingBuild(ofOurs, builds)?.id).toBe("right");
  });

  it("is none where the model has bits of its own, or nobody knows", () => {
    const own = { outlines: { boardwalk: { ...outline, hasOwnBits: true } } };
    expect(choosingBuild(own, [build("b")])).toBe(undefined);
    expect(choosingBuild({}, [build("b")])).toBe(undefined);
  });
});

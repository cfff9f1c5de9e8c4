import { describe, expect, it } from "vitest";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { hls4mlEngine as engine } from ".";
import { layersOf } from "./layers";
import { validReuseFactors } from "./reuse-factors";

const request = planRequest("iris-mlp", "cpu");
const planWith = (layers: unknown) => engine.plan({ ...request, options: { layers } });
const name = "iris_mlp_1/dense_1_2/MatMul";

describe("layers that options name", () => {
  it("are the file's operators with weights and its functions, with what can be set of each", () => {
    expect(
      layersOf(request.model).map((layer) => [layer.name, Object.keys(layer.settings)]),
    ).toEqual(
      expect.arrayContaining([
        [name, ["width", "integerBits", "reuseFactor", "strategy"]],
        ["iris_mlp_1/dense_1_2/Relu", ["width", "integerBits"]],
      ]),
    );
    expect(layersOf(request.model)).toHaveLength(6);
  });

  it("take the reuse factors that hls4ml takes as they are", () => {
    // What hls4ml 1.3.0 lists for these sizes.
    expect(validReuseFactors({ inputs: 4, outputs: 16 })).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(validReuseFactors({ inputs: 16, outputs: 8 })).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect(validReuseFactors({ inputs: 9, outputs: 10 })).toEqual([1, 3, 9, 18, 45, 90]);
  });

  it("are planned with, and change the artifact", () => {
    const plan = planWith({ [name]: { width: 8, reuseFactor: 8 } });
    expect(plan.digest).not.toBe(planWith({}).digest);
    // hls4ml calls the product's constant so; its script knows whether there is one.
    expect(planWith({ MatMul_1_param0: { width: 8 } }).digest).not.toBe(plan.digest);
  });

  it.each([
    [{ nothing: { width: 8 } }, "options.layers.nothing", name],
    [{ [name]: { reuseFactor: 7 } }, `options.layers.${name}.reuseFactor`, "1, 2, 4, 8, 16"],
    [
      { "iris_mlp_1/dense_1_2/Relu": { reuseFactor: 2 } },
      "options.layers.iris_mlp_1/dense_1_2/Relu.reuseFactor",
      "no multipliers",
    ],
  ])("refuse %j at the field, with what there is", (layers, field, hint) => {
    expect(() => planWith(layers)).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field,
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it("refuse bits that no number has", () => {
    expect(() => planWith({ [name]: { width: 0 } })).toThrow(
      expect.objectContaining({ reason: "OPTION_INVALID", field: `options.layers.${name}.width` }),
    );
  });
});

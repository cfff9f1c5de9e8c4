import { describe, expect, it } from "vitest";
import { integerGraphOf } from "@/tests/support/compiler/integer-graph-of";
import { planRequest } from "@/tests/support/compiler/plan-request";
import { boardwalkEngine as engine } from ".";
import { optionsSchema, parseOptions, precisionOf } from "./options";

const request = planRequest("iris-mlp", "icebreaker");

describe("options of the compiler", () => {
  it.each([
    { options: { architecture: "unrolled", lanes: 4 }, field: "options.lanes" },
    { options: { precision: "fastest", lanes: 4 }, field: "options.lanes" },
    { options: { lanes: "4; rm" }, field: "options.lanes" },
    { options: { precision: "[exec id]" }, field: "options.precision" },
    { options: { weightBits: 9 }, field: "options.weightBits" },
    { options: { weightBits: [8, 1] }, field: "options.weightBits" },
    { options: { weightBits: [] }, field: "options.weightBits" },
  ])("refuse $options at $field", ({ options, field }) => {
    expect(() => parseOptions(options)).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        field: expect.stringContaining(field),
      }),
    );
  });

  it("allow lanes of an array with any numbers", () => {
    const options = { precision: "fastest", architecture: "array", lanes: 4 };
    expect(optionsSchema.safeParse(options).success).toBe(true);
  });

  it("give each layer bits of its own, which the integer graph keeps", () => {
    const plan = engine.plan({ ...request, options: { weightBits: [8, 4, 2] } });
    const widths = integerGraphOf(plan).nodes.flatMap((node) =>
      node.op === "dense" ? node.weightWidth : [],
    );
    expect(widths).toEqual([8, 4, 2]);
  });

  it("refuse bits for more layers than there are", () => {
    expect(() => engine.plan({ ...request, options: { weightBits: [8, 4] } })).toThrow(
      expect.objectContaining({
        reason: "OPTION_INVALID",
        message: "2 weight bits are given for 3 layers.",
        field: "options.weightBits",
      }),
    );
  });

  it("mean by fastest: few bits, unrolled where that fits, a higher clock and two placements first", () => {
    expect(precisionOf(parseOptions({ precision: "fastest" }))).toEqual({
      inputBits: 6,
      weightBits: [4],
      activationBits: 6,
    });
    const usual = engine.plan(request);
    const fastest = engine.plan({ ...request, options: { precision: "fastest" } });
    expect(fastest.forecast.lanes).toBeUndefined();
    expect(fastest.forecast.latencyCycles).toBeLessThan((usual.forecast.latencyCycles ?? 0) / 2);
    const highest = Math.max(...request.board.standardClocksHz);
    const believed = usual.variants[0]?.clockHz ?? 0;
    expect(fastest.variants[0]?.clockHz).toBe(
      Math.min(highest, ...request.board.standardClocksHz.filter((hz) => hz > believed)),
    );
    expect(fastest.variants[1]?.clockHz).toBe(fastest.variants[0]?.clockHz);
  });
});

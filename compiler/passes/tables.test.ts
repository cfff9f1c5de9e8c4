import { describe, expect, it } from "vitest";
import { type ElementwiseProgram, evaluateElementwise } from "@/lib/common/elementwise";
import { dequantize, quantize } from "@/lib/common/fixed-point";
import { tableInput, tableNode } from "./tables";

const program = (operator: string, parameters: Record<string, number> = {}): ElementwiseProgram => [
  { operator, operands: [{ from: 0 }], parameters },
];
const looked = (of: ElementwiseProgram, range: number) => ({
  name: "layer",
  program: of,
  range,
  width: 8,
});

/** The largest error of a table on 20,001 arguments over the range that was calibrated. */
function largestError(of: ElementwiseProgram, range: number): number {
  const input = tableInput(looked(of, range));
  const node = tableNode(looked(of, range), input, 1);
  const errors = Array.from({ length: 20_001 }, (_, index) => {
    const x = (index / 10_000 - 1) * range;
    const pattern = quantize(x, input) & (2 ** input.width - 1);
    return Math.abs(dequantize(node.values[pattern] ?? 0, node) - evaluateElementwise(of, x));
  });
  return Math.max(...errors);
}

describe("tables of functions", () => {
  it.each([
    // The published errors of 256 entries over the half range are 0.006 and 0.009.
    { operator: "Sigmoid", range: 12, most: 0.007 },
    { operator: "Tanh", range: 6, most: 0.012 },
    { operator: "HardSigmoid", range: 6, most: 0.007 },
    { operator: "Softsign", range: 200, most: 0.05 },
  ])("of $operator are right to $most all over their range", ({ operator, range, most }) => {
    expect(largestError(program(operator), range)).toBeLessThan(most);
  });

  it("end where the function has reached its ends, to the step", () => {
    const input = tableInput(looked(program("Tanh"), 100));
    const { values } = tableNode(looked(program("Tanh"), 100), input, 1);
    expect([Math.max(...values), Math.min(...values)]).toEqual([127, -128]);
    expect(dequantize(2 ** (input.width - 1), input)).toBeLessThanOrEqual(4);
  });

  it("take no more bits than the function needs", () => {
    expect(tableInput(looked(program("LeakyRelu", { alpha: 0.1 }), 4)).width).toBe(8);
    expect(tableInput(looked(program("Tanh"), 3)).width).toBe(9);
  });

  it("give unsigned values where nothing is below 0", () => {
    const sigmoid = looked(program("Sigmoid"), 4);
    expect(tableNode(sigmoid, tableInput(sigmoid), 3)).toMatchObject({
      signed: false,
      width: 8,
      fraction: 8,
      size: 3,
    });
  });

  it("are refused by name where the function is no number", () => {
    const log = looked(program("Log"), 4);
    expect(() => tableNode(log, tableInput(log), 1)).toThrow(
      expect.objectContaining({
        reason: "OPERATOR_UNSUPPORTED",
        message: expect.stringContaining("Log"),
      }),
    );
  });
});

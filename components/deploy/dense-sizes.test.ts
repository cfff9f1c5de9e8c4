import { describe, expect, it } from "vitest";
import type { Inspection } from "@/lib/common/contract";
import { denseSizes } from "./dense-sizes";

const model = (shape: number[], operators: readonly (readonly [string, number])[]): Inspection => ({
  format: "onnx",
  sizeBytes: 1,
  digest: `sha256:${"0".repeat(64)}`,
  inputs: [{ name: "x", datatype: "FP32", shape }],
  outputs: [],
  layers: operators.map(([operator, size], index) => ({
    name: `n${index}`,
    operator,
    shape: [-1, size],
    parameters: 0,
  })),
  parameters: 0,
  engines: [],
});

describe("sizes for a forecast", () => {
  it("are the row and what each dense layer gives", () => {
    expect(
      denseSizes(
        model(
          [-1, 8, 8],
          [
            ["Gemm", 32],
            ["Relu", 32],
            ["MatMul", 10],
            ["Add", 10],
          ],
        ),
      ),
    ).toEqual([64, 32, 10]);
  });

  it("are unknown for a row of unknown size, and for a model without dense layers", () => {
    expect(denseSizes(model([-1, -1], [["Gemm", 3]]))).toBeNull();
    expect(denseSizes(model([-1, 4], [["Relu", 4]]))).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { ArtifactIo } from "@/lib/common/contract";
import { joinRows, splitRows } from "./row-tensors";

const spec = (name: string, shape: number[], size: number) => ({
  name,
  datatype: "FP32",
  shape,
  size,
});
const inputs: ArtifactIo["inputs"] = [spec("a", [-1, 2], 2), spec("b", [-1, 1, 3], 3)];
const outputs: ArtifactIo["outputs"] = [
  { ...spec("p", [-1, 1], 1), activation: "none" },
  { ...spec("q", [-1, 2, 2], 4), activation: "none" },
];
const tensor = (name: string, values: number[]) => ({
  name,
  datatype: "FP32" as const,
  shape: [values.length],
  data: Float32Array.from(values),
});
const floats = ({ buffer, byteOffset, byteLength }: Uint8Array) => [
  ...new Float32Array(buffer, byteOffset, byteLength / 4),
];

describe("rows of an emulation", () => {
  it("hold each input one behind the other, whatever order they come in", () => {
    const given = [tensor("b", [10, 11, 12, 13, 14, 15]), tensor("a", [1, 2, 3, 4])];
    const { count, bytes } = joinRows(inputs, given);
    expect(count).toBe(2);
    expect(floats(bytes)).toEqual([1, 2, 10, 11, 12, 3, 4, 13, 14, 15]);
    expect(splitRows(outputs, bytes, count).map(({ shape, data }) => [shape, [...data]])).toEqual([
      [
        [2, 1],
        [1, 3],
      ],
      [
        [2, 2, 2],
        [2, 10, 11, 12, 4, 13, 14, 15],
      ],
    ]);
  });

  it("are refused where tensors lack, do not fit or differ in number", () => {
    const refused = expect.objectContaining({ reason: "INFER_INVALID" });
    expect(() => joinRows(inputs, [tensor("a", [1, 2])])).toThrow(refused);
    expect(() => joinRows(inputs, [tensor("a", [1]), tensor("b", [1, 2, 3])])).toThrow(refused);
    const uneven = [tensor("a", [1, 2]), tensor("b", [1, 2, 3, 4, 5, 6])];
    expect(() => joinRows(inputs, uneven)).toThrow(refused);
    expect(() => splitRows(outputs, new Uint8Array(16), 2)).toThrow(/other rows/);
  });
});

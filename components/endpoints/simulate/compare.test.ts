import { describe, expect, it } from "vitest";
import type { Tensor } from "@/lib/common/tensor";
import type { Output } from "../request/predict";
import { compareRow } from "./compare";

const here = (data: readonly number[]): Tensor[] => [
  { name: "p", datatype: "FP32", shape: [1, data.length], data: Float32Array.from(data) },
];
const there = (data: Output["data"], datatype = "FP32"): Output[] => [
  { name: "p", datatype, shape: [data.length / 2, 2], data },
];

describe("two answers", () => {
  it("are equal when every bit of the datatype is", () => {
    const values = compareRow(here([0.1, -1.5]), there([0.1, -1.5]), 0);
    expect(values.map(({ equal }) => equal)).toEqual([true, true]);
    expect(values.map((value) => value.here)).toEqual(["0.1", "-1.5"]);
  });

  it("differ by one bit", () => {
    const next = new Float32Array(Uint32Array.of(0x3dcccccd + 1).buffer)[0] ?? 0;
    const [value] = compareRow(here([next, 0]), there([0.1, 0]), 0);
    expect(value).toMatchObject({ equal: false, there: "0.1" });
    expect(value?.here).not.toBe("0.1");
  });

  it("are compared with the row that was run", () => {
    const two = there([1, 2, 3, 4]);
    expect(compareRow(here([3, 4]), two, 1).every(({ equal }) => equal)).toBe(true);
    expect(compareRow(here([3, 4]), two, 0).some(({ equal }) => equal)).toBe(false);
  });

  it("are not compared where the endpoint has said nothing", () => {
    for (const silent of [null, [], there([1, 2])]) {
      expect(compareRow(here([1, 2]), silent, 1)[0]).toMatchObject({ there: null, equal: null });
    }
  });

  it("are whole numbers of any size", () => {
    const label: Tensor[] = [
      { name: "p", datatype: "INT64", shape: [1], data: BigInt64Array.of(2n ** 62n + 1n) },
    ];
    expect(compareRow(label, there(["4611686018427387905"], "INT64"), 0)[0]?.equal).toBe(true);
    expect(compareRow(label, there(["4611686018427387904"], "INT64"), 0)[0]?.equal).toBe(false);
  });
});

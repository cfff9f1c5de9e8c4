import { describe, expect, it } from "vitest";
import { firstRow, requestOf } from "./rows";

const input = { datatype: "FP32", shape: [-1, 2], size: 2 };
const io = {
  inputs: [
    { ...input, name: "a", standardise: { mean: [1.23456, 2], deviation: [1, 1] } },
    { ...input, name: "b", shape: [-1, 1], size: 1 },
  ],
};

describe("rows that are typed", () => {
  const wanted = {
    inputs: [
      { name: "a", datatype: "FP32", shape: [2, 2], data: [1, 2, 4, 5] },
      { name: "b", datatype: "FP32", shape: [2, 1], data: [3, 6] },
    ],
  };
  it.each(["1, 2, 3\n4 5 6", "[[1,2,3],[4,5,6]]", "[[[1,2],3],[[4],5,6]]", " 1;2;3 \n 4,5,6 \n"])(
    "are a request: %j",
    (text) => {
      expect(JSON.parse(requestOf(io, text) ?? "")).toEqual(wanted);
    },
  );

  it("may be a request already, of which no digit is touched", () => {
    const text = '{"inputs":[{"data":[9007199254740993]}]}';
    expect(requestOf(io, text)).toBe(text);
  });

  it.each(["", "1,2", "1,2,x", "[[1,2,3],[4]]", "[1,", '["1",2,3]'])("or none: %j", (text) => {
    expect(requestOf(io, text)).toBeNull();
  });

  it("begin with one that the firmware was built for", () => {
    expect(firstRow(io)).toBe("1.235, 2, 0");
  });
});

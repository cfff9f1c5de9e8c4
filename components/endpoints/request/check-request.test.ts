import { describe, expect, it } from "vitest";
import { parseInferRequest } from "@/lib/common/tensor";
import { checkRequest, type RequestSpecs } from "./check-request";

const specs: RequestSpecs = {
  inputs: [{ name: "x", datatype: "FP32", shape: [-1, 4] }],
  maxBatchSize: 8,
};
const request = (input: object) =>
  JSON.stringify({ inputs: [{ name: "x", datatype: "FP32", ...input }] });
const codes = (text: string, of: RequestSpecs = specs) =>
  checkRequest(text, of).problems.map(({ code }) => code);
const isTaken = (text: string) => {
  try {
    return parseInferRequest(new TextEncoder().encode(text)).inputs.length === 1;
  } catch {
    return false;
  }
};

describe("checking a request", () => {
  it.each([
    [request({ shape: [1, 4], data: [1, 2, 3, 4] }), 1, "flat data"],
    [
      request({
        shape: [2, 4],
        data: [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
      }),
      2,
      "nested data",
    ],
  ])("finds nothing wrong in %s", (text, rows) => {
    expect(checkRequest(text, specs)).toEqual({ problems: [], rows });
  });

  it("says when shape and data disagree, and offers the shape that fits", () => {
    const text = request({ shape: [1, 4], data: [1, 2, 3, 4, 5, 6, 7, 8] });
    const [problem] = checkRequest(text, specs).problems;
    expect(problem).toMatchObject({
      code: "countOther",
      values: { shape: "[1, 4]", wanted: 4, count: 8 },
      fix: { code: "setShape", insert: "[2, 4]" },
    });
    expect(text.slice(problem?.from, problem?.to)).toBe("[1,4]");
  });

  it("offers no shape when the values make no whole rows", () => {
    const [problem] = checkRequest(request({ shape: [1, 4], data: [1, 2, 3] }), specs).problems;
    expect(problem?.code).toBe("countOther");
    expect(problem?.fix).toBeUndefined();
  });

  it.each([
    ['{"inputs": [', ["unfinished"]],
    ['{"inputs": [{"name": NaN}]}', ["inputUnnamed", "inputMissing"]],
    ['{"inputs":[{"name":"x","datatype":"FP32","shape":[NaN,4],"data":[]}]}', ["shapeMissing"]],
    ['{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4]}]}', ["dataMissing"]],
    ['{"inputs":[{"name":"x","shape":[1,4],"data":[1,2,3,4]}]}', ["datatypeMissing"]],
    ["[]", ["notARequest"]],
    ['{"inputs": []}', ["inputMissing"]],
    ['{"inputs": [7]}', ["inputNoObject", "inputMissing"]],
    [
      '{"inputs":[{"name":"y","shape":[1],"datatype":"FP32","data":[1]}]}',
      ["inputUnknown", "inputMissing"],
    ],
    [request({ datatype: "INT8", shape: [1, 4], data: [1, 2, 3, 4] }), ["datatypeOther"]],
    [request({ shape: [4], data: [1, 2, 3, 4] }), ["shapeOther"]],
    [request({ shape: [1, 4], data: [1, 2, 3, "4"] }), ["noElement"]],
    [request({ shape: [1, 4], data: [1, 2, 3, 4e38] }), ["outOfRange"]],
    [request({ shape: [9, 4], data: Array(36).fill(0) }), ["tooManyRows"]],
  ])("of %s answers %j", (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it("names the line, and mends what can be mended", () => {
    const text = '{\n  "inputs": [1, 2,]\n}';
    const [problem] = checkRequest(text, specs).problems;
    expect(problem).toMatchObject({ code: "trailingComma", line: 2, fix: { code: "mend" } });
  });

  it("wants as many rows of each input", () => {
    const two = {
      inputs: ["a", "b"].map((name) => ({ name, datatype: "FP32", shape: [-1, 1] })),
      maxBatchSize: 8,
    };
    const text = JSON.stringify({
      inputs: [
        { name: "a", datatype: "FP32", shape: [2, 1], data: [1, 2] },
        { name: "b", datatype: "FP32", shape: [1, 1], data: [1] },
      ],
    });
    expect(checkRequest(text, two).problems).toMatchObject([
      { code: "rowsDiffer", values: { name: "b", rows: 1, first: "a", wanted: 2 } },
    ]);
  });

  it("takes and refuses elements exactly as the gateway does", () => {
    const elements = [
      ...["NaN", "Infinity", "-Infinity", '"NaN"', '"Infinity"', '"-Infinity"', "null", "true"],
      ...["nan", "-NaN", "+Infinity", "NaNs", '"nan"', "Infinity1", "1e999", "- Infinity", "[NaN"],
      ...["0", "1", "2", "-1", "255", "256", "0.5", "1e2", "65519", "65520", "-65520", "3.5e38"],
      ...["3.4028235e38", "3.40282357e38", "3.3895e38", "3.3962e38", "9223372036854775807"],
      ...["9223372036854775808", "-9223372036854775809", "18446744073709551616", '"x"', "-0"],
    ];
    const datatypes = ["FP16", "BF16", "FP32", "FP64", "BOOL", "BYTES", "UINT8", "INT32", "INT64"];
    const verdicts = [...datatypes, "UINT64"].flatMap((datatype) =>
      elements.map((element) => {
        const text = `{"inputs":[{"name":"x","shape":[1],"datatype":"${datatype}","data":[${element}]}]}`;
        const of = { inputs: [{ name: "x", datatype, shape: [1] }] };
        return { datatype, element, isValid: codes(text, of).length === 0, isTaken: isTaken(text) };
      }),
    );
    expect(verdicts.filter((each) => each.isValid !== each.isTaken)).toEqual([]);
    expect(verdicts.filter((each) => each.isTaken).length).toBeGreaterThan(60);
  });

  it("reads words only where they stand for values", () => {
    expect(codes(request({ shape: [1, 4], data: [1, 2, 3, "NaN, Infinity"] }))).toEqual([
      "noElement",
    ]);
    const named = { inputs: [{ name: "NaN", datatype: "FP32", shape: [2] }] };
    const good =
      '{"inputs":[{"name":"NaN","shape":[2],"datatype":"FP32","data":[-Infinity, NaN]}]}';
    expect(codes(good, named)).toEqual([]);
  });
});

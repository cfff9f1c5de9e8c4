import { describe, expect, it } from "vitest";
import { parseInferRequest } from "@/lib/common/tensor";
import { checkRequest } from "./check-request";

const specs = [{ name: "x", datatype: "FP32", shape: [-1, 4] }];
const request = (input: object) =>
  JSON.stringify({ inputs: [{ name: "x", datatype: "FP32", ...input }] });
const messages = (text: string, inputs = specs) =>
  checkRequest(text, inputs).problems.map(({ message }) => message);

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
    expect(problem?.message).toMatch(/wants 4 values; data has 8/);
    expect(text.slice(problem?.from, problem?.to)).toBe("[1,4]");
    expect(problem?.fix?.insert).toBe("[2, 4]");
  });

  it("offers no shape when the values make no whole rows", () => {
    const [problem] = checkRequest(request({ shape: [1, 4], data: [1, 2, 3] }), specs).problems;
    expect(problem?.message).toMatch(/data has 3/);
    expect(problem?.fix).toBeUndefined();
  });

  it.each([
    ['{"inputs": [', /not JSON, near line 1/, "cut off"],
    ['{"inputs": [{"name": NaN}]}', /has a “name”/, "NaN for a name"],
    [
      '{"inputs":[{"name":"x","datatype":"FP32","shape":[NaN,4],"data":[]}]}',
      /list of sizes/,
      "NaN for a size",
    ],
    ["[]", /list “inputs”/, "no object"],
    ['{"inputs": []}', /“x” is missing/, "no input"],
    [
      '{"inputs":[{"name":"y","shape":[1],"datatype":"FP32","data":[1]}]}',
      /no input “y”/,
      "unknown name",
    ],
    [
      request({ datatype: "INT8", shape: [1, 4], data: [1, 2, 3, 4] }),
      /is FP32, not INT8/,
      "datatype",
    ],
    [request({ shape: [4], data: [1, 2, 3, 4] }), /shape \[n, 4\]/, "rank"],
    [request({ shape: [1, 4], data: [1, 2, 3, "4"] }), /no FP32 value/, "text for a number"],
  ])("refuses %s with %s (%s)", (text, words) => {
    expect(messages(text).join(" ")).toMatch(words);
  });

  it("takes and refuses what is no number exactly as the gateway does", () => {
    const verdicts = ["FP16", "FP32", "FP64", "INT32", "BOOL"].flatMap((datatype) =>
      [
        ...["NaN", "Infinity", "-Infinity", '"NaN"', '"Infinity"', '"-Infinity"', "null"],
        ...[
          "nan",
          "-NaN",
          "+Infinity",
          "NaNs",
          '"nan"',
          "Infinity1",
          "1e999",
          "- Infinity",
          "[NaN",
        ],
      ].map((element) => {
        const text = `{"inputs":[{"name":"x","shape":[1],"datatype":"${datatype}","data":[${element}]}]}`;
        const isTaken = () => {
          try {
            return parseInferRequest(new TextEncoder().encode(text)).inputs.length === 1;
          } catch {
            return false;
          }
        };
        const specs = [{ name: "x", datatype, shape: [1] }];
        const isValid = checkRequest(text, specs).problems.length === 0;
        return { datatype, element, isValid, isTaken: isTaken() };
      }),
    );
    expect(verdicts.filter(({ isValid, isTaken }) => isValid !== isTaken)).toEqual([]);
    expect(verdicts.filter(({ isTaken }) => isTaken)).toHaveLength(3 * 7);
  });

  it("reads words only where they stand for values", () => {
    const text = request({ shape: [1, 4], data: [1, 2, 3, "NaN, Infinity"] });
    expect(messages(text).join(" ")).toMatch(/no FP32 value/);
    const named = [{ name: "NaN", datatype: "FP32", shape: [2] }];
    const good =
      '{"inputs":[{"name":"NaN","shape":[2],"datatype":"FP32","data":[-Infinity, NaN]}]}';
    expect(messages(good, named)).toEqual([]);
  });

  it("keeps 64-bit integers exact at their bounds", () => {
    const int64 = [{ name: "x", datatype: "INT64", shape: [1] }];
    const text = (digits: string) =>
      `{"inputs":[{"name":"x","shape":[1],"datatype":"INT64","data":[${digits}]}]}`;
    expect(messages(text("9223372036854775807"), int64)).toEqual([]);
    expect(messages(text("9223372036854775808"), int64)).toHaveLength(1);
  });
});

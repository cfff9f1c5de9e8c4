import { describe, expect, it } from "vitest";
import { checkRequest } from "../try/check-request";
import { formatRequest, sampleRequest, shuffledRequest } from "./sample-request";

const inputs = [{ name: "pixels", datatype: "FP32", shape: [-1, 64] }];

describe("sample requests", () => {
  it("are valid when the endpoint has none of its own", () => {
    const text = formatRequest(sampleRequest({ inputs }));
    expect(checkRequest(text, inputs)).toEqual({ problems: [], rows: 1 });
  });

  it("read back as what they were", () => {
    const request = sampleRequest({ inputs });
    expect(JSON.parse(formatRequest(request))).toEqual(request);
    expect(
      formatRequest(request)
        .split("\n")
        .every((line) => line.length < 80),
    ).toBe(true);
  });

  it("stay valid and within range when shuffled", () => {
    const request = {
      inputs: [{ name: "x", shape: [1, 4], datatype: "FP32", data: [0.5, 1, 2, 3.5] }],
    };
    const other = shuffledRequest(request, Math.random);
    const text = formatRequest(other);
    expect(checkRequest(text, [{ name: "x", datatype: "FP32", shape: [-1, 4] }]).problems).toEqual(
      [],
    );
    const [input] = JSON.parse(text).inputs;
    for (const value of input.data) expect(value).toBeGreaterThanOrEqual(0.5);
    for (const value of input.data) expect(value).toBeLessThanOrEqual(3.5);
  });
});

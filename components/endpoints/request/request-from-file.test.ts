import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkRequest } from "./check-request";
import { readDocument } from "./request-document";
import { editorLimits, requestFromFile, requestFromText } from "./request-from-file";
import { randomText, sampleGrid, sampleText } from "./sample-text";

const endpoint = {
  inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4] }],
  labels: ["setosa", "versicolor", "virginica"],
  maxBatchSize: 8,
  features: {
    names: ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"],
    min: [4, 2, 1, 0],
    max: [8, 5, 7, 3],
  },
};
const tokensOf = (text: string) => readDocument(text)?.inputs[0]?.tokens ?? [];
const of = (text: string, more: object = {}) => requestFromText(text, { ...endpoint, ...more });

describe("rows of a file", () => {
  it("are those of a sample's test rows, with what is expected of each", () => {
    const bytes = readFileSync("public/samples/iris-mlp/test.csv");
    const lines = bytes.toString().trim().split("\n").slice(1);
    const read = requestFromFile({ name: "test.csv", bytes }, endpoint);
    expect(read).toMatchObject({ taken: lines.length, total: lines.length });
    expect(read.labels).toEqual(lines.map((line) => Number(line.split(",").at(-1))));
    expect(tokensOf(read.text).map(Number)).toEqual(
      lines.flatMap((line) => line.split(",").slice(0, 4).map(Number)),
    );
    const specs = { ...endpoint, maxBatchSize: 1000 };
    expect(checkRequest(read.text, specs).problems).toEqual([]);
  });

  it.each([
    ["1;2;3;4,5\n", ["1", "2", "3", "4.5"], null, "decimal commas"],
    ["1\t2\t3\t4\tvirginica\n", ["1", "2", "3", "4"], [2], "classes by name"],
    [
      "petal width,class,petal length,sepal width,sepal length\n4,1,3,2,1\n",
      ["1", "2", "3", "4"],
      [1],
      "columns in another order",
    ],
    ["[[1,2,3,4],[5,6,7,8]]", ["1", "2", "3", "4", "5", "6", "7", "8"], null, "a JSON list"],
    ['{"instances":[[1,2,3,4]]}', ["1", "2", "3", "4"], null, "instances of V1"],
    ["1,2,3,oops\n", ["1", "2", "3", '"oops"'], null, "what is no number, to be mended"],
  ])("are read from %j", (text, tokens, labels, _) => {
    const read = of(text);
    expect(tokensOf(read.text)).toEqual(tokens);
    expect(read.labels).toEqual(labels);
  });

  it("keep a V2 request as it is, whatever is wrong with it", () => {
    const broken = '{"inputs":[{"name":"features",}]}';
    expect(of(broken).text).toBe(broken);
    const whole = '{"id":"a","inputs":[]}';
    expect(JSON.parse(of(whole).text)).toEqual(JSON.parse(whole));
  });

  it("lose no digit of 64-bit integers", () => {
    const inputs = [{ name: "x", datatype: "INT64", shape: [-1, 1] }];
    const read = of("9223372036854775807\n", { inputs, features: undefined });
    expect(tokensOf(read.text)).toEqual(["9223372036854775807"]);
  });

  it("are as many as the editor takes, and it says how many there were", () => {
    const most = editorLimits.values / 4;
    const read = of("1,2,3,4\n".repeat(most + 5));
    expect(read).toMatchObject({ taken: most, total: most + 5 });
  });

  it.each([
    ["1,2,3\n", "3 columns where the endpoint takes 4"],
    ["1,2,3,4\n1,2\n", "2 columns in line 2, 4 before"],
    ["[[1,2,3,4],[1]]", "1 values in row 2, 4 before"],
    ["", "no rows"],
  ])("%j is refused: %s", (text, words) => {
    expect(() => of(text)).toThrow(
      expect.objectContaining({ reason: "ROWS_INVALID", message: expect.stringContaining(words) }),
    );
  });

  it("are refused where the file is neither text nor an array", () => {
    const bytes = Uint8Array.of(0xff, 0xfe, 0);
    expect(() => requestFromFile({ name: "x", bytes }, endpoint)).toThrow(
      expect.objectContaining({ reason: "ROWS_INVALID" }),
    );
  });
});

describe("requests that are made", () => {
  it("are valid when the endpoint has no sample of its own", () => {
    expect(checkRequest(sampleText(endpoint), endpoint)).toEqual({ problems: [], rows: 1 });
  });

  it("have random values within the range of the card, as many rows as before", () => {
    const grid = sampleGrid({ ...endpoint, sample: undefined });
    if (!grid) throw new Error("no grid");
    for (const draw of [0, 0.5, 0.999_999]) {
      const text = randomText(grid, endpoint, () => draw);
      expect(checkRequest(text, endpoint).problems).toEqual([]);
      tokensOf(text).forEach((token, at) => {
        expect(Number(token)).toBeGreaterThanOrEqual(endpoint.features.min[at] ?? 0);
        expect(Number(token)).toBeLessThanOrEqual(endpoint.features.max[at] ?? 0);
      });
    }
  });

  it.each(["BOOL", "BYTES", "INT8", "UINT8", "INT64", "FP16", "FP64"])(
    "of %s are valid",
    (datatype) => {
      const other = { inputs: [{ name: "x", datatype, shape: [-1, 3] }], maxBatchSize: 4 };
      const grid = sampleGrid({ ...other, sample: undefined });
      if (!grid) throw new Error("no grid");
      for (const text of [sampleText(other), randomText(grid, {}, Math.random)])
        expect(checkRequest(text, other).problems).toEqual([]);
    },
  );
});

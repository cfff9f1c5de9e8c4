import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRows } from "./parse-rows";

describe("rows beside a model", () => {
  it.each([
    ["iris-mlp", 4, 38],
    ["digits-mlp", 64, 450],
    ["jets-small-mlp", 16, 1000],
  ])("of %s are read with their labels", (id, width, least) => {
    const csv = readFileSync(`public/samples/${id}/test.csv`, "utf8");
    const rows = parseRows(csv, width);
    expect(rows.count).toBe(csv.trim().split("\n").length - 1);
    expect(rows.count).toBeGreaterThanOrEqual(least);
    const last = csv.trim().split("\n").at(-1)?.split(",").map(Number) ?? [];
    expect([...rows.values.subarray(-width)]).toEqual([...Float32Array.from(last.slice(0, width))]);
    expect(rows.labels?.at(-1)).toBe(last[width]);
  });

  it("need neither header nor labels", () => {
    expect(parseRows('1,2\r\n"3",-4e1\r\n', 2)).toEqual({
      count: 2,
      width: 2,
      values: Float32Array.of(1, 2, 3, -40),
      labels: null,
      source: "test.csv",
    });
  });

  it("have no labels where the last column is measured, not counted", () => {
    expect(parseRows("a,y\n1,0.5\n2,7\n", 1).labels).toBeNull();
  });

  it.each([
    ["an empty cell", "1,2\n3,\n", "empty cell in line 2, column 2"],
    ["a word", "a,b\n1,x\n", "line 2, column 2"],
    ["an infinite number", "1,2\n1e39,2\n", "line 2, column 1"],
    ["another number of columns", "1,2,3,4\n", "4 columns"],
    ["a ragged line", "1,2\n1\n", "1 columns in line 2"],
    ["nothing", "\n", "no rows"],
    ["only a header", "a,b\n", "no rows"],
  ])("with %s are refused at their place", (_, csv, words) => {
    expect(() => parseRows(csv, 2)).toThrow(
      expect.objectContaining({
        reason: "ROWS_INVALID",
        message: expect.stringContaining(words),
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import type { Prediction } from "../request/predict";
import { countWinners, csvOfRows, rowResults } from "./row-results";

const answer = (data: readonly number[]): Prediction => ({
  ok: true,
  status: 200,
  requestId: null,
  raw: "",
  outputs: [{ name: "p", datatype: "FP32", shape: [data.length / 2, 2], data: [...data] }],
  revision: "1",
  timing: {},
  totalNs: 5,
});

describe("the results of many rows", () => {
  const run = {
    labels: [0, 1, null, 1],
    results: [
      { part: { first: 2, count: 2 }, answer: answer([0.2, 0.8, 0.9, 0.1]), failure: null },
      { part: { first: 0, count: 2 }, answer: answer([0.7, 0.3, 0.4, 0.6]), failure: null },
      { part: { first: 4, count: 2 }, answer: null, failure: "lost" },
    ],
  };
  const classes = ["=no", "yes"];

  it("stand in the order of the rows, each against what was expected", () => {
    const rows = rowResults(run, classes);
    expect(rows.map(({ row, words, isRight }) => [row, words, isRight])).toEqual([
      [0, "=no", true],
      [1, "yes", true],
      [2, "yes", null],
      [3, "=no", false],
    ]);
    expect(countWinners(rows)).toEqual([
      { words: "=no", count: 2 },
      { words: "yes", count: 2 },
    ]);
  });

  it("are a CSV file that no spreadsheet runs", () => {
    const lines = csvOfRows(rowResults(run, classes), classes).trim().split("\r\n");
    expect(lines[0]).toBe("row,expected,answer,value 0,value 1");
    expect(lines[1]).toBe("1,'=no,'=no,0.7,0.3");
    expect(lines).toHaveLength(5);
  });
});

import { describe, expect, it } from "vitest";
import { rowAnswer } from "./row-answer";

describe("the answer to a row", () => {
  const probabilities = {
    name: "p",
    datatype: "FP32",
    shape: [2, 3],
    data: [0.1, 0.7, 0.2, 0.5, 0.25, 0.25],
  };

  it("is the class that wins, with its share", () => {
    expect(rowAnswer([probabilities], ["a", "b", "c"], 0)).toEqual({
      best: 1,
      words: "b",
      score: "0.700",
      values: [0.1, 0.7, 0.2],
    });
    expect(rowAnswer([probabilities], undefined, 1)).toMatchObject({ best: 0, words: "0" });
  });

  it("is the value where there are no classes, and all outputs follow each other", () => {
    const value = { name: "y", datatype: "FP32", shape: [2, 1], data: [1.234_567_89, 2] };
    const index = { name: "i", datatype: "INT64", shape: [2], data: ["9223372036854775807", 4] };
    expect(rowAnswer([value, index], undefined, 0)).toEqual({
      best: null,
      words: "1.23457",
      score: null,
      values: [1.234_567_89, "9223372036854775807"],
    });
  });
});

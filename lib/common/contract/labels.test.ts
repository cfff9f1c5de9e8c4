import { describe, expect, it } from "vitest";
import { labelSchema, newLabelsSchema } from "./labels";

const problemsOf = (value: unknown) =>
  newLabelsSchema.safeParse(value).error?.issues.map(({ path, message }) => [path, message]);

describe("a label", () => {
  it.each([
    ["  for the paper ", "for the paper"],
    ["e\u0301", "é"],
    ["<b>bold</b>", "<b>bold</b>"],
    ["🚀".repeat(63), "🚀".repeat(63)],
  ])("%j is taken as %j", (text, label) => {
    expect(labelSchema.parse(text)).toBe(label);
  });

  it.each([
    ["", "A label has at least one character."],
    ["   ", "A label has at least one character."],
    ["a".repeat(64), "A label has at most 63 characters, this one has 64."],
    ["a\u0000b", "A label holds no control characters."],
    ["a\nb", "A label holds no control characters."],
    ["a\u2028b", "A label holds no control characters."],
    ["a\u202eb", "A label holds no control characters."],
    ["a\ud800b", "A label holds no control characters."],
    ["a, b", "A label holds no comma: it parts one from the next."],
  ])("%j is refused", (text, message) => {
    expect(problemsOf({ labels: ["fine", text] })).toEqual([[["labels", 1], message]]);
  });
});

describe("the labels of a build", () => {
  it("are kept once each, in their order, ten at most", () => {
    expect(newLabelsSchema.parse({ labels: ["b", "a", " b "] })).toEqual({ labels: ["b", "a"] });
    const eleven = Array.from({ length: 11 }, (_, n) => `label ${n}`);
    expect(problemsOf({ labels: eleven.slice(1) })).toBeUndefined();
    expect(problemsOf({ labels: [...eleven.slice(1), "label 1"] })).toBeUndefined();
    expect(problemsOf({ labels: eleven })).toEqual([
      [["labels"], "A build has at most 10 labels, these are 11."],
    ]);
  });
});

import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { inspection as known } from "@/e2e/support/fixture-data";
import type { Inspection } from "@/lib/common/contract";
import { messages } from "@/messages/en";
import type { Draft } from "./draft";
import { asksForRange, complaintAboutRange, isRangeMissing } from "./missing-range";
import { readRange } from "./range-draft";

const t = createTranslator({ locale: "en", messages, namespace: "deploy.complaints" });

const url = "s3://boardwalk-uploads/model.onnx";
const draft: Draft = {
  url,
  engine: "boardwalk",
  board: { model: "icebreaker", kind: "simulated" },
  name: "digits",
  settled: true,
  named: true,
  options: {},
  preset: null,
  features: [],
  range: { min: "", max: "", assumedFor: "" },
  calibration: null,
  serving: {},
};
const unknown: Inspection = { ...known, rangeFrom: null };
const withRange = (range: Partial<Draft["range"]>): Draft => ({
  ...draft,
  range: { ...draft.range, ...range },
});
const rows = { url: "s3://rows.csv", name: "rows.csv", understood: "CSV", inputs: 64 };

describe("the question for the range of the inputs", () => {
  it.each([
    { why: "nothing says it", draft, facts: unknown, missing: true, asks: true },
    { why: "the card says it", draft, facts: { ...known, rangeFrom: "card" }, missing: false },
    { why: "rows lie beside", draft, facts: { ...known, rangeFrom: "rows" }, missing: false },
    { why: "the model does", draft, facts: { ...known, rangeFrom: "model" }, missing: false },
    { why: "nothing was read", draft, facts: undefined, missing: false },
    {
      why: "rows are given",
      draft: { ...draft, calibration: rows },
      facts: unknown,
      missing: false,
    },
    {
      why: "a range was typed, which stays in sight whatever the model",
      draft: withRange({ min: "0", max: "16" }),
      facts: { ...known, rangeFrom: "card" },
      missing: false,
      asks: true,
    },
  ] satisfies {
    why: string;
    draft: Draft;
    facts: Inspection | undefined;
    missing: boolean;
    asks?: boolean;
  }[])("is asked where it must be: $why", ({ draft, facts, missing, asks = false }) => {
    expect(isRangeMissing(draft, facts)).toBe(missing);
    expect(asksForRange(draft, facts)).toBe(asks);
  });

  it("holds a deploy up until it is answered, or somebody assumes for this very model", () => {
    expect(complaintAboutRange(draft, unknown, t).range).toMatch(
      /Give a range, add rows, or assume/,
    );
    expect(complaintAboutRange(withRange({ min: "0", max: "16" }), unknown, t)).toEqual({});
    expect(complaintAboutRange({ ...draft, calibration: rows }, unknown, t)).toEqual({});
    expect(complaintAboutRange(withRange({ assumedFor: url }), unknown, t)).toEqual({});
    const another = complaintAboutRange(withRange({ assumedFor: "s3://other.onnx" }), unknown, t);
    expect(another.range).toBeDefined();
  });
});

describe("a range as it is typed", () => {
  it.each([
    ["0", "16", { min: 0, max: 16 }],
    [" −1.5 ", "1e3", { min: -1.5, max: 1000 }],
    ["0 0, 1\n2", "1; 1 2 3", { min: [0, 0, 1, 2], max: [1, 1, 2, 3] }],
    ["0", "1 2 3 4", { min: 0, max: [1, 2, 3, 4] }],
    ["", "", null],
  ])("%j to %j is understood", (min, max, range) => {
    expect(readRange({ min, max }, 4)).toEqual({ range, complaint: null });
  });

  it.each([
    ["", "1", "Give the smallest value too."],
    ["1", " ", "Give the largest value too."],
    ["a", "1", "“a” is no number."],
    ["0", "1 2", "2 numbers are given where the model takes 4 inputs."],
    ["2", "1", "1 is below the smallest value, 2."],
    ["1", "1", "The largest value is the smallest one: that is no range."],
    ["0 0 5 0", "1 1 1 1", "1 is below the smallest value, 5."],
    ["0", "1e39", expect.any(String)],
  ])("%j to %j is refused in words", (min, max, complaint) => {
    const read = readRange({ min, max }, 4);
    expect(read.range).toBeNull();
    expect(read.complaint && t(read.complaint.key, read.complaint.values)).toEqual(complaint);
  });
});

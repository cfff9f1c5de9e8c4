import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { Accuracy, Calibration } from "@/lib/common/contract";
import { messages as english } from "@/messages/en";
import { messages as italian } from "@/messages/it";
import { sourceWords } from "./source-words";

const t = createTranslator({ locale: "en", messages: english, namespace: "accuracy" });
const fromCard: Calibration = {
  rows: 2000,
  source: "synthetic input",
  synthetic: true,
  scaledBy: "range of the model card",
};
const fromFile: Calibration = { ...fromCard, rows: 1, source: "test.csv", synthetic: false };
const report: Accuracy = {
  calibration: fromCard,
  test: { rows: 1200, source: "test.csv", synthetic: false, shared: 0 },
  labelled: true,
  agreement: 0.98,
  floatAccuracy: 0.96,
  integerAccuracy: 0.95,
  maxAbsError: 0.25,
  clipping: [],
  confusion: null,
  worst: [],
};

describe("what is said of the rows of an accuracy report", () => {
  it("names test rows and where ranges come from", () => {
    expect(sourceWords(report, t)).toEqual([
      "Tested on 1,200 rows of test.csv.",
      "Number ranges come from 2,000 synthetic rows, with inputs scaled by: range of the model card.",
    ]);
  });

  it.each([
    [null, "This design needs no calibration."],
    [
      { ...fromCard, scaledBy: "assumed: mean 0, deviation 1" },
      "Number ranges come from 2,000 synthetic rows. The scale of the inputs is assumed: mean 0, deviation 1.",
    ],
    [fromFile, "Number ranges come from 1 row of test.csv, which is not a test row."],
  ])("tells the calibrations apart: %j", (calibration, words) => {
    expect(sourceWords({ ...report, calibration }, t)[1]).toBe(words);
  });

  it("does not claim that rows are apart where some are shared", () => {
    const test = { ...report.test, shared: 3 };
    const calibration = { ...fromFile, rows: 20 };
    expect(sourceWords({ ...report, calibration, test }, t)[1]).toBe(
      "Number ranges come from 20 rows of test.csv.",
    );
  });

  it("says that figures of made-up rows, or without labels, say less", () => {
    const test = { rows: 1, source: "synthetic input", synthetic: true, shared: 0 };
    const [tested, , unlabelled] = sourceWords({ ...report, test, labelled: false }, t);
    expect(tested).toContain("tested on 1 synthetic row. Results on real data may differ.");
    expect(unlabelled).toContain("only the agreement with the float model is known");
  });

  it("keeps numbers as they are in Italian", () => {
    const it = createTranslator({ locale: "it", messages: italian, namespace: "accuracy" });
    expect(sourceWords(report, it)[0]).toBe("Verificato su 1,200 righe di test.csv.");
  });
});

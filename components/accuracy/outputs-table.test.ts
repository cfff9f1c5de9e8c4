import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { OutputAccuracy } from "@/lib/common/contract";
import { inEnglish } from "@/tests/support/in-language";
import { OutputsTable } from "./outputs-table";

const digit: OutputAccuracy = {
  output: "digit",
  labelled: true,
  agreement: 0.98,
  floatAccuracy: 0.96,
  integerAccuracy: 0.95,
  maxAbsError: 0.25,
  meanAbsError: 0.015,
};
const angle: OutputAccuracy = {
  output: "angle",
  labelled: false,
  agreement: null,
  floatAccuracy: null,
  integerAccuracy: null,
  maxAbsError: 1.75,
  meanAbsError: 0.5,
};

const drawn = (outputs: readonly OutputAccuracy[] | undefined) =>
  renderToStaticMarkup(inEnglish(createElement(OutputsTable, { outputs })));
/** Texts of the cells of each line. */
const linesOf = (html: string) =>
  html
    .split("<tr>")
    .slice(1)
    .map((line) => [...line.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, text]) => text));

describe("the table of outputs", () => {
  it("has a line for each of several", () => {
    expect(linesOf(drawn([digit, angle])).slice(1)).toEqual([
      ["digit", "98.0\u2009%", "95.0\u2009%", "96.0\u2009%", "0.250", "0.015"],
      ["angle", "–", "–", "–", "1.75", "0.500"],
    ]);
  });

  it("leaves out what none of them has", () => {
    const [head, ...lines] = linesOf(drawn([angle, { ...angle, output: "length" }]));
    expect(head).toEqual(["Output", "Largest difference", "Mean difference"]);
    expect(lines[1]).toEqual(["length", "1.75", "0.500"]);
  });

  it("is not there for one output, nor for a report that knows of the first alone", () => {
    expect(drawn([digit])).toBe("");
    expect(drawn(undefined)).toBe("");
  });
});

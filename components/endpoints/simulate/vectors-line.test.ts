import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { inEnglish } from "@/tests/support/in-language";
import type { VectorsProgress } from "./messages";
import type { SimulationView } from "./use-simulation";
import { VectorsLine } from "./vectors-line";

const idle: SimulationView = {
  phase: "ready",
  receivedBytes: 0,
  cells: 12,
  progress: null,
  trace: null,
  vectors: null,
  busy: null,
  failure: null,
  dump: null,
};
const all: VectorsProgress = {
  total: 1200,
  done: 1200,
  equal: 1200,
  firstDifferent: null,
  cyclesPerSecond: 250_000,
};

/** What the line says of its vectors. */
function said(view: Partial<SimulationView>): string | undefined {
  const props = { view: { ...idle, ...view }, onRun: () => {}, onStop: () => {} };
  const html = renderToStaticMarkup(inEnglish(createElement(VectorsLine, props)));
  return /role="status"[^>]*>.*?<span>([^<]*)<\/span>/.exec(html)?.[1];
}

describe("the line of the test vectors", () => {
  it.each([
    ["nothing before they are run", { vectors: null }, ""],
    [
      "how many on the way",
      { vectors: { ...all, done: 40 }, busy: "vectors" } as const,
      "40 of 1,200",
    ],
    [
      "that all are equal, and how fast",
      { vectors: all },
      "1,200 of 1,200 answers are equal · 250,000 cycles per second",
    ],
    [
      "where the first difference is, counted from 1",
      { vectors: { ...all, equal: 1198, firstDifferent: 4, cyclesPerSecond: 0 } },
      "1,198 of 1,200 answers are equal · first difference in row 5",
    ],
    [
      "what was left when it was stopped",
      { vectors: { ...all, done: 1199, equal: 1199, cyclesPerSecond: 0 } },
      "1,199 of 1,199 answers are equal · stopped, 1 row was not run",
    ],
  ])("says %s", (_, view, words) => {
    expect(said(view)).toBe(words);
  });
});

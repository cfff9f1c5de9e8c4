import { describe, expect, it } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { emptyOutline, extendOutline } from "./outline";
import { problemPatterns } from "./patterns";
import { plainLine } from "./plain-line";

const log = (
  ...texts: readonly (readonly [LogLine["stage"], LogLine["level"], string?])[]
): LogLine[] =>
  texts.map(([stage, level, text = "said"], index) => ({
    n: index + 1,
    time: new Date(1_800_000_000_000 + index * 100).toISOString(),
    ...{ stage, stream: "stdout", level, text },
  }));

const lines = log(
  ["fetch", "info"],
  ["synthesise", "warning", "Warning: Replacing memory \\a with list of registers."],
  ["synthesise", "warning", "Warning: Replacing memory \\b with list of registers."],
  ["place", "error", "ERROR: it broke at 12"],
  ["place", "error", "ERROR: it broke at 13"],
  ["fetch", "warning", "\u001b[33mit is\u001b[0m slow"],
);

describe("the outline of a log", () => {
  it("has a fold for each stage in a row, with what is wrong in it", () => {
    const { folds } = extendOutline(emptyOutline, lines);
    expect(
      folds.map(({ stage, first, last, warnings, errors }) => [
        stage,
        first,
        last,
        warnings,
        errors,
      ]),
    ).toEqual([
      ["fetch", 1, 1, 0, 0],
      ["synthesise", 2, 3, 2, 0],
      ["place", 4, 5, 0, 2],
      ["fetch", 6, 6, 1, 0],
    ]);
  });

  it("tells each problem once, with its count and its first line", () => {
    const { problems, firstError } = extendOutline(emptyOutline, lines);
    expect(problems.map(({ id, first, count, text }) => [id, first, count, text])).toEqual([
      ["yosysMemory", 2, 2, "Warning: Replacing memory \\a with list of registers."],
      [null, 4, 2, "ERROR: it broke at 12"],
      [null, 6, 1, "it is slow"],
    ]);
    expect(firstError).toBe(4);
  });

  it("is the same however the lines come: in pieces, and some twice", () => {
    const whole = extendOutline(emptyOutline, lines);
    for (let cut = 0; cut <= lines.length; cut += 1) {
      const head = extendOutline(emptyOutline, lines.slice(0, cut));
      expect(extendOutline(head, lines.slice(Math.max(0, cut - 2)))).toEqual(whole);
    }
  });

  it("holds as many problems as anybody reads, and counts the others", () => {
    const words = Array.from({ length: 260 }, (_, n) => "x".repeat(n + 1));
    const many = log(...words.map((word) => ["place", "warning", word] as const));
    const { problems, moreProblems } = extendOutline(emptyOutline, many);
    expect([problems.length, moreProblems]).toEqual([200, 60]);
  });
});

describe("what tools say", () => {
  it.each([
    ["yosysMemory", "Warning: Replacing memory \\ram with list of registers. See top.v:12"],
    ["yosysNoDriver", "Warning: Wire top.\\x is used but has no driver."],
    ["yosysSyntax", "core.v:3: ERROR: syntax error, unexpected TOK_ID"],
    ["nextpnrTiming", "ERROR: Max frequency for clock 'clk': 46.50 MHz (FAIL at 48.00 MHz)"],
    [
      "nextpnrFull",
      "ERROR: Unable to place cell 'x', no BELs remaining to implement cell type 'ICESTORM_LC'",
    ],
    ["timingMissed", "Timing is not met at 48 MHz: 46.50 MHz reached, 48 MHz wanted."],
    [
      "noClockMet",
      "No clock of the board is met: 10.1 MHz reached, 12 MHz wanted. A smaller model closes.",
    ],
    ["outOfMemory", "yosys needed more than 8192 MiB."],
    ["handedBack", "The worker stops: this build goes back into the queue."],
    ["toolEnded", "nextpnr-ice40 ended with status 1. Its last lines in the log say why."],
  ])("is known as %s", (id, text) => {
    const { problems } = extendOutline(emptyOutline, log(["place", "error", text]));
    expect(problems[0]?.id).toBe(id);
  });

  it("has one name each", () => {
    expect(new Set(problemPatterns.map(({ id }) => id)).size).toBe(problemPatterns.length);
  });
});

describe("a plain line", () => {
  it.each([
    ["a \x1b[32mok\x1b[0m b", "a ok b", "colours"],
    ["\x1b[2Kgone\x1b[1A", "gone", "cursor moves"],
    ["\x1b]8;;http://x\x07link\x1b]8;;\x07", "link", "hyperlinks"],
    ["10 %\r50 %\r100 %", "100 %", "redrawn progress"],
    ["<b>x</b>", "<b>x</b>", "nothing of markup"],
  ])("of %j is %s (%s)", (line, plain) => {
    expect(plainLine(line)).toBe(plain);
  });
});

import { describe, expect, it } from "vitest";
import { plainLine } from "@/lib/common/log-outline";
import { parseAnsi } from "./ansi";

const drawn = (line: string) =>
  parseAnsi(line)
    .map(({ text }) => text)
    .join("");

describe("parseAnsi", () => {
  it("leaves plain text as one run", () => {
    expect(parseAnsi("Info: Routing..")).toEqual([{ text: "Info: Routing.." }]);
  });

  it("colours from the code to the reset", () => {
    expect(parseAnsi("a \x1b[32mok\x1b[0m b")).toEqual([
      { text: "a " },
      { text: "ok", colour: "var(--ansi-2)" },
      { text: " b" },
    ]);
  });

  it("combines codes and takes them back one by one", () => {
    const [first, second] = parseAnsi("\x1b[1;31merror\x1b[22m more");
    expect(first).toMatchObject({ text: "error", bold: true, colour: "var(--ansi-1)" });
    expect(second).toMatchObject({ text: " more", colour: "var(--ansi-1)" });
    expect(second?.bold).toBeUndefined();
  });

  it.each([
    ["\x1b[38;5;196mx", "rgb(255 0 0)", "256 colours"],
    ["\x1b[38;2;1;2;3mx", "rgb(1 2 3)", "24 bit"],
  ])("reads %j (%s, %s)", (line, colour) => {
    expect(parseAnsi(line)[0]?.colour).toContain(colour);
  });

  it.each([
    ["\x1b[2Kgone\x1b[1A", "gone", "cursor moves"],
    ["\x1b]8;;http://x\x07link\x1b]8;;\x07", "link", "hyperlinks"],
    ["10 %\r50 %\r100 %", "100 %", "redrawn progress"],
    ["done\r", "done", "a carriage return before the newline"],
    ["a\x1b", "a", "an escape cut off"],
    ["\x1b[999mx", "x", "an unknown code"],
  ])("drops what is no colour from %j: %s (%s)", (line, text) => {
    expect(drawn(line)).toBe(text);
    expect(plainLine(line)).toBe(text);
  });

  it("never makes markup of text", () => {
    expect(drawn("<img src=x onerror=alert(1)>")).toBe("<img src=x onerror=alert(1)>");
  });
});

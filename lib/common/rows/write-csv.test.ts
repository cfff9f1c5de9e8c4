import { describe, expect, it } from "vitest";
import { writeCsvRecord } from "./write-csv";

describe("a record of a CSV file", () => {
  it("quotes what would end a cell, and doubles quotes", () => {
    expect(writeCsvRecord(["a,b", 'say "x"', "two\nlines", "plain"])).toBe(
      '"a,b","say ""x""","two\nlines",plain\r\n',
    );
  });

  it("leaves numbers, truth and absence as they are", () => {
    expect(writeCsvRecord([-1.5, true, null, 0])).toBe("-1.5,true,,0\r\n");
  });

  it.each(["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "  =1", "\u00a0=1", "\t=1", "\rx", "＝1"])(
    "makes text of what a spreadsheet would run: %j",
    (cell) => {
      expect(writeCsvRecord([cell]).replace(/^"/, "")).toMatch(/^'/);
    },
  );

  it.each(["a=b", "s3://x/-y", "1-2"])("keeps %s, which is no formula", (cell) => {
    expect(writeCsvRecord([cell])).toBe(`${cell}\r\n`);
  });
});

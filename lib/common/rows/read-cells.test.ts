import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCells } from ".";

const read = (text: string) => readCells(text, "cells.csv");

describe("cells of a table", () => {
  it.each([
    [
      "1,2\n3,4\n",
      null,
      [
        ["1", "2"],
        ["3", "4"],
      ],
      "commas",
    ],
    ["a\tb\r\n1\t2\r\n", ["a", "b"], [["1", "2"]], "tabs, as a spreadsheet copies"],
    ["x;y\n1,5;-2,25e3\n", ["x", "y"], [["1.5", "-2.25e3"]], "decimal commas"],
    ["9223372036854775807,0.10\n", null, [["9223372036854775807", "0.10"]], "every digit"],
    ['name,n\n"a, ""b""\nc",1\n', ["name", "n"], [['a, "b"\nc', "1"]], "quotes"],
    [
      "true,NaN\nfalse,-inf",
      null,
      [
        ["true", "NaN"],
        ["false", "-inf"],
      ],
      "words for values",
    ],
    [
      "\ufeff1;2\n\n3;4\n\n",
      null,
      [
        ["1", "2"],
        ["3", "4"],
      ],
      "a byte order mark, empty lines",
    ],
    ["a,b", null, [["a", "b"]], "a single line of texts"],
  ])("are read from %j (%#)", (text, header, rows, _) => {
    expect(read(text)).toMatchObject({ header, rows });
  });

  it.each([
    ["", "holds no rows"],
    ["1,2\n3\n", "1 column in line 2, 2 before"],
    ['1,2\n"3,4\n', "quote in line 2 that is never closed"],
  ])("%j is refused: %s", (text, words) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ reason: "ROWS_INVALID", message: expect.stringContaining(words) }),
    );
  });

  it("are what was written, in quotes", () => {
    const cell = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""));
    const table = fc.integer({ min: 2, max: 4 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 5,
      }),
    );
    fc.assert(
      fc.property(table, (rows) => {
        const header = rows[0]?.map((_, at) => `c${at}`) ?? [];
        const text = [header, ...rows]
          .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(","))
          .join("\n");
        expect(read(text).rows).toEqual(rows);
      }),
    );
  });
});

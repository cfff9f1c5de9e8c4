import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRows } from ".";

const read = (csv: string, width: number) =>
  readRows(new TextEncoder().encode(csv), width, "test.csv");

describe("rows of a CSV file", () => {
  it.each([
    ["iris-mlp", 4, 38],
    ["digits-mlp", 64, 450],
    ["jets-small-mlp", 16, 1000],
  ])("of %s are read with their labels", (id, width, least) => {
    const bytes = readFileSync(`public/samples/${id}/test.csv`);
    const lines = bytes.toString().trim().split("\n");
    const { rows } = readRows(bytes, width, "test.csv");
    expect(rows.count).toBe(lines.length - 1);
    expect(rows.count).toBeGreaterThanOrEqual(least);
    const last = lines.at(-1)?.split(",").map(Number) ?? [];
    expect([...rows.values.subarray(-width)]).toEqual([...Float32Array.from(last.slice(0, width))]);
    expect(rows.labels?.at(-1)).toBe(last[width]);
  });

  it("need neither header nor labels", () => {
    expect(read('1,2\r\n"3",-4e1\r\n', 2)).toEqual({
      rows: {
        count: 2,
        width: 2,
        values: Float32Array.of(1, 2, 3, -40),
        labels: null,
        source: "test.csv",
      },
      understood: "CSV, without a header: 2 rows of 2 inputs, no labels.",
    });
  });

  it("have no labels where the last column is measured, not counted", () => {
    expect(read("a,y\n1,0.5\n2,7\n", 1).rows.labels).toBeNull();
  });

  it.each(["label", "Class", "TARGET"])("take their labels from the column called %s", (name) => {
    const { rows, understood } = read(`pt,${name},eta\n1,5,2\n3,6,4\n`, 2);
    expect([...rows.values]).toEqual([1, 2, 3, 4]);
    expect([...(rows.labels ?? [])]).toEqual([5, 6]);
    expect(understood).toBe(`CSV, with a header: 2 rows of 2 inputs, labels in column “${name}”.`);
  });

  it.each([";", "\t"])("may be separated by %j", (separator) => {
    expect([...read("1,2\n3,4".replaceAll(",", separator), 2).rows.values]).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["an empty cell", "1,2\n3,\n", "empty cell in line 2, column 2"],
    ["a word", "a,b\n1,x\n", "the text “x” instead of a number in line 2, column 2"],
    ["NaN in the first line", "1,nan\n3,4\n", "NaN in line 1, column 2"],
    ["an infinite number", "1,2\n1e39,2\n", "line 2, column 1"],
    ["too many columns", "1,2,3,4\n", "4 columns where the model takes 2 from line 1 on"],
    ["too few beside a label", "a,label\n1,2\n", "2 columns, of which “label” holds labels"],
    ["a ragged line", "1,2\n1\n", "1 column in line 2, 2 before"],
    ["nothing", "\n", "no rows"],
    ["only a header", "a,b\n", "no rows"],
  ])("with %s are refused at their place", (_, csv, words) => {
    expect(() => read(csv, 2)).toThrow(
      expect.objectContaining({
        reason: "ROWS_INVALID",
        message: expect.stringContaining(words),
      }),
    );
  });

  it("that are no text are refused", () => {
    expect(() => readRows(Uint8Array.of(0xff, 0xfe, 0x00), 2, "rows.bin")).toThrow(
      expect.objectContaining({ reason: "ROWS_INVALID" }),
    );
  });
});

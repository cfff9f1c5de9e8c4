import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Datatype, datatypes, parseInferRequest } from "@/lib/common/tensor";
import { checkRequest } from "./check-request";
import { readDocument, setElement, textOfToken, tokenOf, writeDocument } from "./request-document";
import { cellsOf, gridOf, sliceRows, withRows } from "./request-grid";

const names = Object.keys(datatypes) as Datatype[];
const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  UINT8: [0n, 255n],
  UINT16: [0n, 65_535n],
  UINT32: [0n, 2n ** 32n - 1n],
  UINT64: [0n, 2n ** 64n - 1n],
  INT8: [-128n, 127n],
  INT16: [-(2n ** 15n), 2n ** 15n - 1n],
  INT32: [-(2n ** 31n), 2n ** 31n - 1n],
  INT64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** Tokens of a datatype, as any client may write them. */
function tokens(datatype: Datatype): fc.Arbitrary<string> {
  if (datatype === "BOOL") return fc.constantFrom("true", "false", "1", "0");
  if (datatype === "BYTES")
    return fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text));
  const range = ranges[datatype];
  if (range) return fc.bigInt({ min: range[0], max: range[1] }).map(String);
  return fc.oneof(
    fc.constantFrom("NaN", "-Infinity", '"NaN"', '"Infinity"', "null", "0.10", "-0", "1e-3", "5E2"),
    fc.integer({ min: -60_000, max: 60_000 }).map((value) => String(value / 16)),
  );
}

interface Made {
  readonly datatype: Datatype;
  readonly rows: number;
  readonly width: number;
  readonly cells: readonly string[];
  readonly nested: boolean;
  readonly extra: boolean;
}
const made: fc.Arbitrary<Made> = fc
  .record({
    datatype: fc.constantFrom(...names),
    rows: fc.integer({ min: 1, max: 4 }),
    width: fc.integer({ min: 1, max: 5 }),
    nested: fc.boolean(),
    extra: fc.boolean(),
  })
  .chain((shape) =>
    fc
      .array(tokens(shape.datatype), {
        minLength: shape.rows * shape.width,
        maxLength: shape.rows * shape.width,
      })
      .map((cells) => ({ ...shape, cells })),
  );

function textOf({ datatype, rows, width, cells, nested, extra }: Made): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    cells.slice(row * width, (row + 1) * width).join(" , "),
  );
  const data = nested ? `[${lines.map((line) => `[${line}]`).join(",")}]` : `[${lines.join(",")}]`;
  const more = extra ? '"id":"é\\u0041", "parameters" : {"priority": 1}, ' : "";
  return `{${more}"inputs":[{"name":"x","datatype":"${datatype}","shape":[${rows},${width}],"data":${data}}]${extra ? ', "outputs":[]' : ""}}`;
}
const specsOf = ({ datatype, width }: Made) => ({
  inputs: [{ name: "x", datatype, shape: [-1, width] }],
  maxBatchSize: 8,
});
const tensorsOf = (text: string) => parseInferRequest(new TextEncoder().encode(text));
const read = (text: string) => {
  const document = readDocument(text);
  if (!document) throw new Error(`no document: ${text}`);
  return document;
};
const gridFrom = (text: string, each: Made) => {
  const grid = gridOf(read(text), specsOf(each));
  if (!grid) throw new Error(`no grid: ${text}`);
  return grid;
};

describe("a request between its views", () => {
  it("is the same tensors after it was written again, every digit and member kept", () => {
    fc.assert(
      fc.property(made, (each) => {
        const text = textOf(each);
        const written = writeDocument(read(text));
        expect(tensorsOf(written)).toEqual(tensorsOf(text));
        expect(read(written).inputs[0]?.tokens).toEqual(each.cells);
        expect(read(written).inputs[0]?.nested).toBe(each.nested);
        expect(writeDocument(read(written))).toBe(written);
        const extra = (source: string) =>
          read(source).members.filter(({ key }) => key !== "inputs");
        expect(extra(written)).toEqual(extra(text));
      }),
    );
  });

  it("passes through the table and back without a change of any value", () => {
    fc.assert(
      fc.property(made, (each) => {
        const grid = gridFrom(textOf(each), each);
        expect(grid).toMatchObject({ rows: each.rows, isBatched: true });
        const cells = cellsOf(grid);
        const back = withRows(grid, cells);
        // What JSON has several words for comes back as one of them.
        const plain = (token: string) => textOfToken(token === "null" ? '"NaN"' : token);
        expect(cellsOf(gridFrom(back, each)).flat().map(plain)).toEqual(each.cells.map(plain));
        if (!each.cells.includes("null")) expect(tensorsOf(back)).toEqual(tensorsOf(textOf(each)));
      }),
    );
  });

  it("changes one element of the form and not a blank besides", () => {
    fc.assert(
      fc.property(made, fc.nat(), (each, pick) => {
        const text = textOf(each);
        const element = pick % each.cells.length;
        const typed = each.cells[(pick + 1) % each.cells.length] ?? "";
        const document = read(text);
        const changed = setElement(document, { input: 0, element }, textOfToken(typed));
        expect(changed.slice(0, document.inputs[0]?.starts[element])).toBe(
          text.slice(0, document.inputs[0]?.starts[element]),
        );
        const [input] = read(changed).inputs;
        expect(textOfToken(input?.tokens[element] ?? "")).toBe(textOfToken(typed));
        expect(input?.tokens.toSpliced(element, 1)).toEqual(each.cells.toSpliced(element, 1));
      }),
    );
  });

  it("keeps whatever was typed, and says so where it is no value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...names), (typed, datatype) => {
        const token = tokenOf(datatype, typed);
        const text = `{"inputs":[{"name":"x","datatype":"${datatype}","shape":[1],"data":[${token}]}]}`;
        const [input] = read(text).inputs;
        const specs = { inputs: [{ name: "x", datatype, shape: [1] }] };
        const isValid = checkRequest(text, specs).problems.length === 0;
        if (!isValid && token.startsWith('"'))
          expect(textOfToken(input?.tokens[0] ?? "")).toBe(typed);
      }),
    );
    expect(tokenOf("FP32", "5.1x")).toBe('"5.1x"');
    expect(["+5", ".5", "5.", " 007 ", "-inf", "nan"].map((text) => tokenOf("FP32", text))).toEqual(
      ["5", "0.5", "5", "7", '"-Infinity"', '"NaN"'],
    );
    expect(tokenOf("INT64", "9223372036854775807")).toBe("9223372036854775807");
    expect(tokenOf("BYTES", "007")).toBe('"007"');
  });

  it("is sent row by row as it was written", () => {
    fc.assert(
      fc.property(made, (each) => {
        const grid = gridFrom(textOf(each), each);
        const parts = Array.from({ length: each.rows }, (_, row) => sliceRows(grid, row, 1));
        expect(parts.flatMap((part) => read(part).inputs[0]?.tokens ?? [])).toEqual(each.cells);
        for (const part of parts) expect(checkRequest(part, specsOf(each)).problems).toEqual([]);
      }),
    );
  });
});

describe("rows of a request", () => {
  const endpoint = {
    inputs: [
      { name: "a", datatype: "FP32", shape: [-1, 2] },
      { name: "b", datatype: "INT64", shape: [-1, 1] },
    ],
    features: { names: ["length (cm)", "mass", "count"], min: [0, 1, 2], max: [9, 8, 7] },
    maxBatchSize: 8,
  };
  // The inputs stand in another order than the model has them.
  const text =
    '{"inputs":[{"name":"b","datatype":"INT64","shape":[2,1],"data":[7,8]},{"name":"a","datatype":"FP32","shape":[2,2],"data":[[1,2],[3,4]]}]}';

  it("are named and bounded by the card, whatever the order of the inputs", () => {
    const grid = gridOf(read(text), endpoint);
    expect(grid?.columns).toMatchObject([
      { name: "count", unit: null, low: 2, high: 7, datatype: "INT64" },
      { name: "length", unit: "cm", low: 0, high: 9 },
      { name: "mass", unit: null, low: 1, high: 8 },
    ]);
    expect(grid && cellsOf(grid)).toEqual([
      ["7", "1", "2"],
      ["8", "3", "4"],
    ]);
  });

  it("can be added and taken away; every input follows", () => {
    const grid = gridOf(read(text), endpoint);
    if (!grid) throw new Error("no grid");
    const more = withRows(grid, [...cellsOf(grid), ["9", "5", "oops"]]);
    expect(read(more).inputs.map(({ shape, tokens }) => [shape, tokens])).toEqual([
      [
        [3, 1],
        ["7", "8", "9"],
      ],
      [
        [3, 2],
        ["1", "2", "3", "4", "5", '"oops"'],
      ],
    ]);
  });

  it("are not drawn where shape and data disagree, or an input is missing", () => {
    expect(gridOf(read(text.replace("[7,8]", "[7]")), endpoint)).toBeNull();
    expect(gridOf(read('{"inputs":[]}'), endpoint)).toBeNull();
  });
});

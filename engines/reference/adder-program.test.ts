import { describe, expect, it } from "vitest";
import { type AdderOperation, type AdderProgram, runAdders } from "./adder-program";
import { parseMadeReference, runReference, wordsOfRow } from "./reference";

const wide: AdderOperation["kif"] = [1, 10, 10];
const input = (at: number): AdderOperation => ({ code: "input", from: [at], kif: [1, 5, 2] });

/** Two inputs in quarters; `operations` follow them, and the last of all is the answer, in 1/16. */
function programOf(...operations: AdderOperation[]): AdderProgram {
  const all = [input(0), input(1), ...operations];
  return {
    schemaVersion: 1,
    machine: "da4ml",
    input: { name: "x", size: 2, width: 8, fraction: 2 },
    nodes: [],
    operations: all,
    outputs: [{ from: all.length - 1, shift: 0, negated: false }],
    output: { name: "y", size: 1, width: 32, fraction: 4 },
  };
}

const answer = (operation: AdderOperation, row: [number, number]) =>
  (runAdders(programOf(operation), row).output[0] ?? Number.NaN) / 16;

describe("a program of adders", () => {
  it.each<[string, AdderOperation, [number, number], number]>([
    ["adds, the second shifted", { code: "add", from: [0, 1], shift: 1, kif: wide }, [6, 5], 4],
    ["subtracts", { code: "subtract", from: [0, 1], shift: -1, kif: wide }, [6, 4], 1],
    ["multiplies", { code: "multiply", from: [0, 1], kif: wide }, [6, -5], -1.875],
    ["adds a constant", { code: "offset", from: [0], value: -0.5, kif: wide }, [6, 0], 1],
    ["holds a constant", { code: "constant", from: [], value: 2.25, kif: wide }, [0, 0], 2.25],
    ["keeps what is positive", { code: "relu", from: [0], kif: [0, 5, 2] }, [6, 0], 1.5],
    ["drops what is not", { code: "relu", from: [0], kif: [0, 5, 2] }, [-6, 0], 0],
    [
      "negates before ReLU",
      { code: "relu", from: [0], negated: true, kif: [0, 5, 2] },
      [-6, 0],
      1.5,
    ],
    ["cuts bits off, downward", { code: "wrap", from: [0], kif: [1, 5, 0] }, [-1, 0], -1],
    ["wraps around", { code: "wrap", from: [0], kif: [1, 1, 2] }, [9, 0], -1.75],
    ["wraps without a sign", { code: "wrap", from: [0], kif: [0, 1, 2] }, [-1, 0], 1.75],
    ["has no bits", { code: "wrap", from: [0], kif: [0, 0, 0] }, [7, 0], 0],
    ["chooses by a sign", { code: "choose", from: [0, 1, 0], kif: wide }, [-3, 8], -0.75],
    [
      "chooses the other, negated",
      { code: "choose", from: [0, 1, 0], negated: true, kif: wide },
      [3, 8],
      -2,
    ],
  ])("%s", (_, operation, row, wanted) => {
    expect(answer(operation, row)).toBe(wanted);
  });

  it("chooses by the highest bit of what has no sign", () => {
    const key: AdderOperation = { code: "relu", from: [0], kif: [0, 2, 2] };
    const choose: AdderOperation = { code: "choose", from: [1, 0, 2], kif: wide };
    const pick = (x: number) => runAdders(programOf(key, choose), [x, 4]).output[0];
    expect(pick(8)).toBe(16);
    expect(pick(7)).toBe(28);
  });

  it("shifts and negates its answers, and answers 0 where nothing is read", () => {
    const program = programOf();
    const outputs = [
      { from: 0, shift: -2, negated: true },
      { from: -1, shift: 0, negated: false },
    ];
    expect([...runAdders({ ...program, outputs }, [4, 0]).output]).toEqual([-4, 0]);
  });

  it.each<[string, AdderOperation[], [number, number] | [number]]>([
    ["a row of another size", [], [1]],
    ["an operation that reads itself", [{ code: "add", from: [2, 0], kif: wide }], [1, 1]],
    [
      "an answer finer than its grid",
      [{ code: "constant", from: [], value: 1 / 32, kif: wide }],
      [1, 1],
    ],
    [
      "an answer beyond its word",
      [{ code: "constant", from: [], value: 2 ** 28, kif: wide }],
      [1, 1],
    ],
  ])("refuses %s", (_, operations, row) => {
    expect(() => runAdders(programOf(...operations), row)).toThrow(RangeError);
  });
});

describe("a software model that a step made", () => {
  const planned = programOf();
  const made = programOf({ code: "add", from: [0, 1], shift: 0, kif: wide });

  it("is taken where it has the edges of the plan", () => {
    const reference = parseMadeReference(JSON.stringify(made), planned);
    const row = Int8Array.of(3, -1);
    expect([...runReference(reference, wordsOfRow(reference, row)).output]).toEqual([8]);
  });

  it.each([
    ["other edges", JSON.stringify({ ...made, input: { ...made.input, fraction: 3 } })],
    ["an operation that is none", JSON.stringify(made).replace('"add"', '"divide"')],
    ["half of it", JSON.stringify(made).slice(0, 50)],
  ])("is refused with %s", (_, text) => {
    expect(() => parseMadeReference(text, planned)).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });
});

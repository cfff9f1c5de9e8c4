import { describe, expect, it } from "vitest";
import {
  firmwareNameSchema,
  grpcAddressSchema,
  readBondAnswers,
  readBondInputs,
  writeBondAnswers,
  writeBondInputs,
} from ".";

const thrown = (reason: string) => expect.objectContaining({ reason });

describe("what a board is asked", () => {
  it("is rows with brackets of their own, or one row without", () => {
    expect(
      JSON.parse(
        writeBondInputs(
          [
            [1, 2],
            [3, 4],
          ],
          "nested",
        ),
      ),
    ).toEqual({
      inputs: [
        {
          name: "input_1",
          shape: [2, 2],
          datatype: "FP32",
          data: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    });
    expect(JSON.parse(writeBondInputs([[1, 2]], "flat"))).toEqual({
      inputs: [{ name: "input_1", shape: [1, 2], datatype: "FP32", data: [1, 2] }],
    });
    expect(writeBondInputs([], "nested")).toBe('{"inputs":[]}');
  });

  it("has no number that JSON has not, and no second flat row", () => {
    expect(() => writeBondInputs([[Number.NaN]], "nested")).toThrow(thrown("INFER_INVALID"));
    expect(() => writeBondInputs([[1], [2]], "flat")).toThrow(thrown("INFER_INVALID"));
  });
});

describe("what a board answers", () => {
  const read = (probabilities: string, classes: string, asked = { rows: 2, outputs: 2 }) =>
    readBondAnswers(
      `[{"classification": {"probabilities": ${probabilities}, "classification": ${classes}}, "name": "output_1"}]`,
      asked,
    );

  it.each([
    ["rows", "[[0.25, 0.75], [1, 0]]", "[1.0, 0.0]", { rows: 2, outputs: 2 }],
    ["one row with brackets", "[[0.25, 0.75]]", "[1]", { rows: 1, outputs: 2 }],
    ["one row without, its class a number", "[0.25, 0.75]", "1", { rows: 1, outputs: 2 }],
    ["logits", "[[-3.5, 12]]", "[1]", { rows: 1, outputs: 2 }],
    ["a bare number", "0.25", "0", { rows: 1, outputs: 1 }],
  ])("is read as %s", (_, probabilities, classes, asked) => {
    const answer = read(probabilities, classes, asked);
    expect([...answer.scores]).toEqual(JSON.parse(`[${probabilities}]`).flat(2));
    expect(answer.classes).toHaveLength(asked.rows);
  });

  it("may be Python's own writing", () => {
    const text = `[{'classification': {'probabilities': [[0.5, NaN]], 'classification': None}, 'name': "it's \\" so"}]`;
    expect(readBondAnswers(text, { rows: 1, outputs: 2 })).toMatchObject({
      scores: Float32Array.of(0.5, Number.NaN),
    });
  });

  it.each([
    ["no probabilities", "[]", "[]"],
    ["another model's width", "[[1, 2, 3], [1, 2, 3]]", "[0, 0]"],
    ["too few rows", "[[1, 2]]", "[0]"],
    ["a class too few", "[[1, 2], [1, 2]]", "[0]"],
    ["texts", '["a", "b"]', "[0, 0]"],
    ["a tower of lists", "[[[1, 2]]]", "[0]"],
  ])("is refused with %s", (_, probabilities, classes) => {
    expect(() => read(probabilities, classes)).toThrow(thrown("UPSTREAM_MISMATCH"));
  });

  it.each([
    ["nothing", "[]"],
    ["half a text", '[{"classification": {"probabilities": [[0.5'],
    ["no JSON", "<html>"],
    ["an object", '{"classification": {}}'],
    ["a text without an end, of half a megabyte", `["${'\\"'.repeat(250_000)}`],
  ])("is refused as %s", (_, text) => {
    expect(() => readBondAnswers(text, { rows: 1, outputs: 2 })).toThrow(
      thrown("UPSTREAM_MISMATCH"),
    );
  });

  it("is written as Python writes it", () => {
    const scores = [[Math.fround(0.8212892413139343), 1]];
    expect(writeBondAnswers([{ scores, classes: [0] }])).toBe(
      '[{"classification": {"probabilities": [[0.8212892413139343, 1.0]], "classification": [0.0]}}]',
    );
    expect(writeBondAnswers([])).toBe("[]");
  });
});

describe("what the original's clients ask", () => {
  it("is read with single quotes, nested or flat", () => {
    const text = "{'inputs': [{'name': 'a', 'shape': [1, 2], 'datatype': 'FP32', 'data': [1, 2]}]}";
    expect(readBondInputs(text)).toEqual([{ name: "a", rows: [[1, 2]] }]);
    expect(readBondInputs('{"inputs": [{"data": [[1], [2]]}]}')).toEqual([
      { name: "input_1", rows: [[1], [2]] },
    ]);
    expect(readBondInputs('{"inputs":[]}')).toEqual([]);
  });

  it.each(["nonsense", "[]", '{"inputs": [{}]}', '{"inputs": [{"data": ["1"]}]}', '{"inputs": 1}'])(
    "is refused as %s",
    (text) => {
      expect(() => readBondInputs(text)).toThrow(thrown("INFER_INVALID"));
    },
  );
});

describe("names that are sent", () => {
  it.each([
    "",
    "../x",
    "a/b",
    "a b",
    "a;reboot",
    "$(reboot)",
    "a..b",
    ".a",
    "a\n",
    "a`b`",
    "é",
    "a".repeat(129),
  ])("are no names of firmware: %j", (name) =>
    expect(firmwareNameSchema.safeParse(name).success).toBe(false),
  );

  it.each(["banknote", "bm-axist-bankote", "0f8f_firmware", "a.b"])("are such: %s", (name) =>
    expect(firmwareNameSchema.safeParse(name).success).toBe(true),
  );

  it.each([
    "",
    "host",
    "host:0",
    "host:65536",
    "http://host:1",
    "user@host:1",
    "host:1/x",
    "a b:1",
    "-a:1",
    "[::1]",
  ])("are no addresses: %j", (address) =>
    expect(grpcAddressSchema.safeParse(address).success).toBe(false),
  );

  it.each(["192.168.2.99:50051", "board.local:50051", "[fe80::1]:50051"])(
    "are such: %s",
    (address) => expect(grpcAddressSchema.safeParse(address).success).toBe(true),
  );
});

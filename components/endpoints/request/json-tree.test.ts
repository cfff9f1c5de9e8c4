import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonNode, parseJsonTree } from "./json-tree";

const faultOf = (text: string) => {
  const parsed = parseJsonTree(text);
  return "fault" in parsed ? parsed.fault : null;
};

function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case "array":
      return node.items.map(plain);
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
    case "string":
      return node.text;
    case "number":
      return Number(node.digits);
    default:
      return JSON.parse(node.word);
  }
}

describe("the tree of a JSON text", () => {
  it("is what the engine reads, at the places where it stands", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const parsed = parseJsonTree(text);
        if (!("root" in parsed)) throw new Error(`${text}: ${parsed.fault.code}`);
        expect(JSON.stringify(plain(parsed.root))).toBe(JSON.stringify(JSON.parse(text)));
        expect(text.slice(parsed.root.from, parsed.root.to)).toBe(text.trim());
      }),
    );
  });

  it("calls nothing JSON that the engine does not", () => {
    const json = fc.json({ maxDepth: 3 });
    fc.assert(
      fc.property(
        json,
        fc.nat(),
        fc.constantFrom("", ",", "]", "}", '"', "1", " ", ":", "e", "\\"),
        (text, place, put) => {
          const at = place % (text.length + 1);
          const broken = text.slice(0, at) + put + text.slice(at + 1);
          let isJson = true;
          try {
            JSON.parse(broken);
          } catch {
            isJson = false;
          }
          expect(faultOf(broken) === null).toBe(isJson);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["", "empty", ""],
    ["[1, 2,]", "trailingComma", "[1, 2]"],
    ['{"a": 1,\n}', "trailingComma", '{"a": 1\n}'],
    ["[1 2]", "missingComma", "[1, 2]"],
    ["[1; 2]", "missingComma", "[1, 2]"],
    ['{"a" 1}', "missingColon", '{"a": 1}'],
    ["[1,,2]", "missingValue", null],
    ["{inputs: []}", "keyQuotes", '{"inputs": []}'],
    ["{'a': 1}", "singleQuotes", '{"a": 1}'],
    ["['it\"s']", "singleQuotes", '["it\\"s"]'],
    ["[True]", "pythonWord", "[true]"],
    ["[nan]", "pythonWord", "[NaN]"],
    ["[yes]", "unknownWord", null],
    ["[1 // one\n]", "comment", null],
    ["[.5]", "badNumber", "[0.5]"],
    ["[+1]", "badNumber", "[1]"],
    ["[007]", "badNumber", "[7]"],
    ["[1.]", "badNumber", "[1]"],
    ["[1.2.3]", "badNumber", null],
    ['["abc', "stringOpen", null],
    ['["\\x"]', "badEscape", null],
    ["[1}", "wrongClose", null],
    ['{"inputs": [1, 2', "unfinished", '{"inputs": [1, 2]}'],
    ['{"inputs": [', "unfinished", null],
    ["[1] [2]", "afterEnd", null],
    ["[@]", "stray", null],
    ["[".repeat(101), "tooDeep", null],
  ])("of %j has a fault: %s, mended as %j", (text, code, mended) => {
    const fault = faultOf(text);
    expect(fault?.code).toBe(code);
    if (!mended) return;
    const { from = 0, to = 0, insert = "" } = fault?.change ?? {};
    expect(faultOf(text.slice(0, from) + insert + text.slice(to))).toBeNull();
    expect((text.slice(0, from) + insert + text.slice(to)).replaceAll(" ", "")).toBe(
      mended.replaceAll(" ", ""),
    );
  });

  it("takes the words of the protocol for numbers, and keeps every digit", () => {
    const parsed = parseJsonTree("[NaN, -Infinity, Infinity, 9223372036854775807, 0.10]");
    const items = "root" in parsed && parsed.root.kind === "array" ? parsed.root.items : [];
    expect(items.map((item) => item.kind === "number" && item.digits)).toEqual([
      "NaN",
      "-Infinity",
      "Infinity",
      "9223372036854775807",
      "0.10",
    ]);
  });

  it("knows the line where a bracket was opened that is never closed", () => {
    expect(faultOf('{\n"inputs": [\n{"name": "x"}\n')?.values).toMatchObject({
      open: "[",
      line: 2,
    });
  });
});

import { describe, expect, it } from "vitest";
import { mostYamlBytes, readYaml, yamlOf } from "./read-yaml";

const known = {
  engines: [
    { id: "boardwalk", options: ["precision", "lanes"] },
    { id: "onnx", options: null },
  ],
  boards: ["icebreaker", "cpu"],
};
const problemsIn = (text: string) => {
  const read = readYaml(text, known);
  return "problems" in read ? read.problems : [];
};

describe("a deploy as YAML", () => {
  it("comes back as it was written, in the order of the form", () => {
    const deploy = {
      name: "digits",
      content: {
        engine: "boardwalk",
        preset: "smallest" as const,
        options: { precision: "smallest", lanes: 1 },
        board: { model: "icebreaker", kind: "simulated" as const },
        model: { url: "s3://boardwalk-samples/digits-mlp/model.onnx" },
        inputRange: { min: 0, max: [16, 16] },
        features: [{ name: "true", unit: "cm", min: -1 }, {}],
        serving: { replicas: 2 },
      },
    };
    const text = yamlOf(deploy);
    expect(text.match(/^\w+/gm)).toEqual([
      ...["name", "model", "engine", "preset", "options", "board"],
      ...["inputRange", "features", "serving"],
    ]);
    expect(text).toContain('name: "true"');
    expect(readYaml(text, known)).toEqual({ deploy });
  });

  it("may leave out everything", () => {
    expect(yamlOf({ name: undefined, content: {} })).toBe("");
    expect(readYaml("engine: onnx # as it is\n", known)).toEqual({
      deploy: { name: undefined, content: { engine: "onnx" } },
    });
  });

  it.each([
    {
      why: "a key is misspelt",
      text: "name: a\nengin: boardwalk\n",
      problem: { line: 2, key: "unknownKey", values: { key: "engin", near: "engine", place: "" } },
    },
    {
      why: "a key within is unknown",
      text: "engine: onnx\nserving:\n  replica: 2\n",
      problem: {
        line: 3,
        key: "unknownKey",
        values: { key: "replica", near: "replicas", place: "serving" },
      },
    },
    {
      why: "an option is none of the engine's",
      text: "engine: boardwalk\noptions:\n  precision: balanced\n  lane: 2\n",
      problem: { line: 4, key: "unknownOption", values: { name: "lane", near: "lanes" } },
    },
    {
      why: "there is no such engine",
      text: "\nengine: xyz\n",
      problem: { line: 2, key: "unknownEngine", values: { known: "boardwalk, onnx" } },
    },
    {
      why: "there is no such board",
      text: "board:\n  model: icebraker\n  kind: simulated\n",
      problem: { line: 2, key: "unknownBoard", values: { near: "icebreaker" } },
    },
    {
      why: "a board lacks its kind",
      text: "engine: onnx\nboard:\n  model: cpu\n",
      problem: {
        line: 2,
        key: "oneOf",
        values: { place: "board › kind", known: "simulated, cpu, physical" },
      },
    },
    {
      why: "a model has no address",
      text: "engine: onnx\nmodel: {}\n",
      problem: { line: 2, key: "missing", values: { place: "model › url" } },
    },
    {
      why: "a number is too large, deep within",
      text: "features:\n  - name: a\n  - name: b\n    min: 2\n    max: 1\n",
      problem: { line: 5, key: "value", values: { place: "features › 2 › max" } },
    },
    {
      why: "a name has capitals",
      text: "name: Digits\n",
      problem: { line: 1, key: "value", values: { place: "name" } },
    },
    {
      why: "a bracket is open",
      text: "engine: onnx\noptions: {a: 1\n",
      problem: { key: "syntax" },
    },
    {
      why: "a key stands twice",
      text: "engine: onnx\nengine: boardwalk\n",
      problem: { line: 2, key: "syntax" },
    },
    { why: "it is a list", text: "- a\n- b\n", problem: { line: 1, key: "notMap" } },
    { why: "it is empty", text: "# nothing\n", problem: { line: 1, key: "notMap" } },
    {
      why: "it is long",
      text: `#${"x".repeat(mostYamlBytes)}`,
      problem: { key: "tooLong" },
    },
  ])("says where it is wrong when $why", ({ text, problem }) => {
    expect(problemsIn(text)[0]).toMatchObject(problem);
  });

  it("makes nothing but plain values of what a text asks for", () => {
    expect(problemsIn('engine: !!js/function "x"\n').length).toBeLessThanOrEqual(1);
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x, x, x]",
      ...["b", "c", "d", "e", "f", "g"].map((name) => {
        const before = String.fromCharCode(name.charCodeAt(0) - 1);
        return `${name}: &${name} [${Array(10).fill(`*${before}`).join(", ")}]`;
      }),
    ].join("\n");
    expect(problemsIn(bomb)).toEqual([{ line: 1, key: "aliases", values: {} }]);
    const read = readYaml("__proto__:\n  polluted: 1\nengine: onnx\n", known);
    expect("problems" in read).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { inspectionSchema, type Outline, outlineVersion } from ".";

const facts = {
  format: "onnx",
  sizeBytes: 100,
  digest: `sha256:${"0".repeat(64)}`,
  inputs: [],
  outputs: [],
  layers: [],
  parameters: 3,
  engines: [],
};
const outline: Outline = {
  version: outlineVersion,
  inputBytes: 4,
  outputBytes: 6,
  hasOwnBits: false,
  cores: { array: { layers: [], refusal: null } },
};

describe("the outline of an inspection", () => {
  it("is kept as it is, whatever form an architecture gave its own", () => {
    const outlines = { boardwalk: outline };
    expect(inspectionSchema.parse({ ...facts, outlines }).outlines).toEqual(outlines);
  });

  it.each([
    {
      what: "of shapes, as the first ones were",
      outline: { kind: "dense", inputs: 4, layers: [] },
    },
    { what: "of another version", outline: { ...outline, version: outlineVersion + 1 } },
    { what: "left out", outline: undefined },
  ])("counts for none where it is $what", ({ outline: other }) => {
    const outlines = { boardwalk: other, bondmachine: outline };
    const { boardwalk, bondmachine } =
      inspectionSchema.parse({ ...facts, outlines }).outlines ?? {};
    expect(boardwalk).toBeUndefined();
    expect(bondmachine).toEqual(outline);
  });
});

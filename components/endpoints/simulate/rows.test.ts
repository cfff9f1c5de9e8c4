import { describe, expect, it } from "vitest";
import { type CoreManifest, readAnswer, readRows } from "./rows";

const fixedPoint = { width: 8, fraction: 4, signed: true };
const manifest: Pick<CoreManifest, "io" | "core"> = {
  core: { inputBytes: 2, outputBytes: 4, bytesPerOutput: 2, latencyCycles: 1 },
  io: {
    inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2], size: 2, fixedPoint }],
    outputs: [
      {
        name: "y",
        datatype: "FP32",
        shape: [-1, 2],
        size: 2,
        fixedPoint: { width: 16, fraction: 8, signed: true },
        activation: "none",
      },
    ],
  },
};
const request = (data: readonly number[]) =>
  JSON.stringify({
    inputs: [{ name: "x", shape: [data.length / 2, 2], datatype: "FP32", data }],
  });

describe("the request of the editor", () => {
  it("is the core's bytes, row by row", () => {
    const rows = readRows(manifest, request([1, -0.5, 99, 0]));
    expect(rows.count).toBe(2);
    expect([...rows.bytesOf(0)]).toEqual([16, 248]);
    expect([...rows.bytesOf(1)]).toEqual([127, 0]);
  });

  it.each([
    { why: "is no JSON", text: "{" },
    { why: "names another input", text: request([1, 2]).replace('"x"', '"z"') },
    {
      why: "has half a row",
      text: request([1, 2]).replace("[1,2]", "[1]").replace("[1,2]", "[1]"),
    },
    { why: "has no row", text: request([]) },
  ])("is refused when it $why", ({ text }) => {
    expect(() => readRows(manifest, text)).toThrow(
      expect.objectContaining({ reason: "INFER_INVALID" }),
    );
  });
});

describe("the core's answer", () => {
  it("is read as the board server reads it", () => {
    const [y] = readAnswer(manifest, new Uint8Array(Int16Array.of(256, -384).buffer));
    expect(y).toMatchObject({ name: "y", shape: [1, 2], data: Float32Array.of(1, -1.5) });
  });
});

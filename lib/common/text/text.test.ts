import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, hasControls, modelTitle, showText, storableText } from "./text";

describe("showText", () => {
  it.each([
    ["a\0b", "a␀b"],
    ["a\nb\r", "a␊b␍"],
    ["\u001b[31mred", "␛[31mred"],
    ["\u007f\u009b", "␡\\u{9b}"],
    ["\ud800", "\\u{d800}"],
    ["x\udc00y", "x\\u{dc00}y"],
    ["a\u202eb", "a<U+202E>b"],
    ["tab\there 😀 ü", "tab\there 😀 ü"],
  ])("shows %j as %j", (text, shown) => {
    expect(showText(text)).toBe(shown);
  });

  it("leaves nothing that forges a line or that a store refuses, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(0xffff), (text, unit) => {
        const hostile = `${text}${String.fromCharCode(unit)}${text}`;
        expect(hasControls(showText(hostile).replaceAll("\t", ""))).toBe(false);
        expect(showText(hostile)).not.toContain("\n");
        expect(storableText(hostile)).not.toMatch(/[\0\p{Cs}]/u);
      }),
    );
  });
});

it("cuts no surrogate pair in two", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
  expect(cutText("ab😀", 4)).toBe("ab😀");
  expect(cutText("abc", 2)).toBe("ab");
});

describe("the title of a model", () => {
  it("calls a model by its folder when the file name says nothing", () => {
    expect(modelTitle("s3://boardwalk-samples/digits-mlp/model.onnx")).toBe("digits-mlp");
    expect(modelTitle("s3://bucket/jets/saved_model.tar.gz")).toBe("jets");
    expect(modelTitle("https://example.org/jets.onnx?x=1")).toBe("jets.onnx");
    expect(modelTitle("s3://bucket/model.onnx")).toBe("model.onnx");
    expect(modelTitle("hf://lab/jets/model.onnx@refs/pr/1")).toBe("jets");
    expect(modelTitle("oci://ghcr.io/lab/jets:v1#model.onnx")).toBe("jets:v1");
  });
});

import { describe, expect, it } from "vitest";
import { addressBeside } from "./address-beside";

describe("what lies beside an address", () => {
  it.each([
    ["s3://models/jets/x.onnx", "s3://models/jets/card.json"],
    ["https://host.example.com/a/x.onnx", "https://host.example.com/a/card.json"],
    ["https://host.example.com/x.onnx?signature=1", null],
    ["https://host.example.com", null],
    ["hf://owner/name/deep/x.onnx", "hf://owner/name/deep/card.json"],
    ["hf://owner/name/x.onnx@refs/pr/1", "hf://owner/name/card.json@refs/pr/1"],
    ["oci://host/models/jets:v1", "oci://host/models/jets:v1#card.json"],
    ["oci://host/models/jets:v1#a/x.onnx", "oci://host/models/jets:v1#card.json"],
  ])("%s is %s", (address, beside) => {
    expect(addressBeside(address, "card.json")).toBe(beside);
  });
});

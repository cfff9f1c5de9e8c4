import { describe, expect, it } from "vitest";
import { parseHubAddress } from "./huggingface";

describe("an address on a hub", () => {
  it.each([
    ["hf://lab/jets/model.onnx", "lab", "jets", "model.onnx", "main"],
    ["hf://lab/jets/onnx/größe+1.onnx@v2", "lab", "jets", "onnx/größe+1.onnx", "v2"],
    ["hf://lab/jets.v2/m.onnx@refs/pr/1", "lab", "jets.v2", "m.onnx", "refs/pr/1"],
  ])("%s is read", (address, owner, name, path, revision) => {
    expect(parseHubAddress(address)).toEqual({ owner, name, path, revision });
  });

  it.each([
    "hf://lab/jets",
    "hf://lab/jets/",
    "hf:///jets/m.onnx",
    "hf://../api/whoami-v2",
    "hf://lab/../m.onnx",
    "hf://lab/jets/../../api/x",
    "hf://lab/jets/a//b",
    "hf://lab/jets/m.onnx@",
    "hf://lab/jets/m.onnx@../x",
    "hf://lab/jets/m.onnx@a@b",
    "hf://lab/jets/m.onnx?download=true",
    "hf://lab/jets/m onnx",
    "hf://lab/jets/m%2Fonnx",
    "hf://user:pass@hub/a/b/c",
    "HF://lab/jets/m.onnx",
  ])("%s is refused", (address) => {
    expect(() => parseHubAddress(address)).toThrow(
      expect.objectContaining({ reason: "URL_NOT_ALLOWED" }),
    );
  });
});

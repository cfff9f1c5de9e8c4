import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sniff } from "@/engines";
import { inspectModel } from "@/workers/inspect/inspect-model";

const file = (name: string) => readFileSync(`tests/fixtures/formats/${name}`);

describe("formats that no engine takes yet", () => {
  it.each([
    ["model.tflite", "TensorFlow Lite"],
    ["saved_model.tar.gz", "SavedModel"],
    ["model.json", "XGBoost model in JSON"],
    ["model.ubj", "XGBoost model in UBJSON"],
  ])("%s is recognised and told so", async (name, words) => {
    await expect(inspectModel(file(name), null)).rejects.toMatchObject({
      reason: "FORMAT_HAS_NO_ENGINE",
      message: expect.stringContaining(words),
    });
  });
});

describe("the format of a file", () => {
  it.each([
    ["an empty file", "", "empty"],
    ["a page", "\n <HTML lang=en>", "html"],
    ["an old pickle", "cos\nsystem\n(S'true'\ntR.", "pickle"],
    ["a list of numbers", "[1, 2]", "json"],
    ["prose", "Boardwalk puts models onto boards.", "unknown"],
    ["zeros", "\0".repeat(600), "unknown"],
    ["a script", "#!/bin/sh\necho hi\n", "unknown"],
    ["a table", "a,b\n1,2\n", "unknown"],
  ])("is told from its bytes: %s", (_, text, format) => {
    expect(sniff(Buffer.from(text, "latin1"))).toBe(format);
  });

  it("is that of a packed file only if it is an archive", async () => {
    const packed = gzipSync(readFileSync("public/samples/iris-mlp/model.onnx"));
    await expect(inspectModel(packed, null)).rejects.toMatchObject({
      reason: "MODEL_FORMAT_UNKNOWN",
    });
  });
});

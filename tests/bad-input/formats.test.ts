import { readFileSync } from "node:fs";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sniff } from "@/engines";
import { inspectModel } from "@/workers/inspect/inspect-model";

const file = (name: string) => readFileSync(`tests/fixtures/formats/${name}`);

describe("formats and the engines that take them", () => {
  it("TensorFlow Lite is recognised and told that there is none", async () => {
    await expect(inspectModel(file("model.tflite"), null)).rejects.toMatchObject({
      reason: "FORMAT_HAS_NO_ENGINE",
      message: expect.stringContaining("TensorFlow Lite"),
    });
  });

  it.each(["model.json", "model.ubj"])(
    "%s is XGBoost's, for its own engine, for conifer and for FPGA boards",
    async (name) => {
      const { inspection } = await inspectModel(file(name), null);
      expect(inspection.engines.filter(({ ok }) => ok).map(({ id }) => id)).toEqual([
        "boardwalk",
        "xgboost",
        "conifer",
      ]);
    },
  );
});

describe("files that would run code", () => {
  const zip = Buffer.concat([
    Buffer.from("PK\x03\x04"),
    Buffer.alloc(26),
    Buffer.from("model/data.pkl"),
  ]);
  it.each([
    ["a PyTorch archive", zip, "torch.onnx.export"],
    [
      "an older PyTorch file",
      Buffer.from("80028a0a6cfc9c46f9206aa85019", "hex"),
      "torch.onnx.export",
    ],
    ["a packed joblib file", deflateSync(Buffer.from("anything")), "to_onnx"],
    ["a pickle of scikit-learn", Buffer.from("\x80\x04\x95sklearn.svm", "latin1"), "to_onnx"],
    ["a pickle of PyTorch", Buffer.from("\x80\x04\x95torch.nn", "latin1"), "torch.onnx.export"],
  ])("%s is never opened, and the lines that export it are shown", async (_, bytes, line) => {
    await expect(inspectModel(bytes, null)).rejects.toMatchObject({
      reason: "MODEL_NOT_ALLOWED",
      message: expect.stringContaining("ickle"),
      hint: expect.stringContaining(line),
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

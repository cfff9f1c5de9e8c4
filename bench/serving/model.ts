import { readFileSync } from "node:fs";
import type { Manifest } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";

/** The 16-64-32-32-5 net that papers on triggers use, trained on synthetic numbers. */
export const modelPath = "tests/fixtures/models/jets-shape-mlp/model.onnx";
export const modelName = "jets";
export const inputName = "features";
export const outputName = "probabilities";
export const width = 16;
export const classes = 5;

/** Its artifact for the CPU, as a build would have made it. */
export function manifestOf(maxBatchSize: number): Manifest {
  const bytes = readFileSync(modelPath);
  const digest = digestOf(bytes);
  return {
    schemaVersion: 1,
    kind: "model",
    engine: "onnx",
    boardModel: "cpu",
    planDigest: digest,
    sourceDigest: digest,
    platform: "onnx_onnxv1",
    io: {
      inputs: [{ name: inputName, datatype: "FP32", shape: [-1, width], size: width }],
      outputs: [
        {
          name: outputName,
          datatype: "FP32",
          shape: [-1, classes],
          size: classes,
          activation: "none",
        },
      ],
    },
    maxBatchSize,
    tools: {},
    files: [{ role: "model", name: "model", digest, sizeBytes: bytes.length }],
  };
}

/** One row of typical values. */
export const row: readonly number[] = Array.from({ length: width }, (_, i) =>
  Math.fround(Math.sin(i + 1)),
);

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

/** A model that a board and a gateway serve between them: one FP32 input, one FP32 output, the batch first. */
export interface ServedModel {
  readonly path: string;
  readonly name: string;
  readonly input: { readonly name: string; readonly row: readonly number[] };
  readonly output: { readonly name: string; readonly row: readonly number[] };
}

const jets: ServedModel = {
  path: modelPath,
  name: modelName,
  input: { name: inputName, row: [width] },
  output: { name: outputName, row: [classes] },
};

/** The model that a role was told of, as JSON; the net above if of none. */
export function modelOf(argument: string | undefined): ServedModel {
  return argument === undefined ? jets : (JSON.parse(argument) as ServedModel);
}

/** Its artifact for the CPU, as a build would have made it. */
export function manifestOf(
  maxBatchSize: number,
  { path, input, output }: ServedModel = jets,
): Manifest {
  const bytes = readFileSync(path);
  const spec = ({ name, row }: ServedModel["input"]) => ({
    name,
    datatype: "FP32",
    shape: [-1, ...row],
    size: row.reduce((product, each) => product * each, 1),
  });
  const digest = digestOf(bytes);
  return {
    schemaVersion: 1,
    kind: "model",
    engine: "onnx",
    boardModel: "cpu",
    planDigest: digest,
    sourceDigest: digest,
    platform: "onnx_onnxv1",
    io: { inputs: [spec(input)], outputs: [{ ...spec(output), activation: "none" }] },
    maxBatchSize,
    tools: {},
    files: [{ role: "model", name: "model", digest, sizeBytes: bytes.length }],
  };
}

/** One row of typical values. */
export const row: readonly number[] = Array.from({ length: width }, (_, i) =>
  Math.fround(Math.sin(i + 1)),
);

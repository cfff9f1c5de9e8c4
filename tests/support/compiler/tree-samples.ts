import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseOnnx } from "@/compiler/frontends/onnx";
import { parseXgboostJson, parseXgboostUbj } from "@/compiler/frontends/xgboost";
import type { Graph } from "@/compiler/graph/graph";

/** Every tree model of the fixtures, in every format that it has. */
export const treeSampleIds = [
  "iris-xgboost/model.json",
  "iris-xgboost/model.ubj",
  "iris-xgboost/model.onnx",
  "diabetes-xgboost/model.json",
  "diabetes-xgboost/model.ubj",
  "diabetes-xgboost/model.onnx",
  "breast-cancer-xgboost/model.json",
  "breast-cancer-xgboost/model.ubj",
  "breast-cancer-xgboost/model.onnx",
  "wine-sklearn-forest/model.onnx",
] as const;
export type TreeSampleId = (typeof treeSampleIds)[number];

export interface TreeSample {
  readonly bytes: Uint8Array;
  readonly graph: Graph;
  /** Held-back rows; NaN is a missing value. */
  readonly rows: readonly Float32Array[];
  /** What the model's own library answers to all rows, by output. */
  readonly answers: ReadonlyMap<string, readonly number[]>;
}

interface TensorJson {
  readonly shape: readonly number[];
  readonly data: readonly (number | null)[];
}

export function loadTreeSample(id: TreeSampleId): TreeSample {
  const folder = join(process.cwd(), "tests/fixtures/models", id.split("/")[0] ?? "");
  const bytes = new Uint8Array(readFileSync(join(process.cwd(), "tests/fixtures/models", id)));
  const reference: Record<"inputs" | "outputs", Record<string, TensorJson>> = JSON.parse(
    readFileSync(join(folder, "reference.json"), "utf8"),
  );
  const { shape, data } = reference.inputs["features"] as TensorJson;
  const width = shape[1] ?? 1;
  const values = Float32Array.from(data, (value) => value ?? Number.NaN);
  return {
    bytes,
    graph: readTreeFile(id, bytes),
    rows: Array.from({ length: shape[0] ?? 0 }, (_, row) =>
      values.slice(row * width, (row + 1) * width),
    ),
    answers: new Map(
      Object.entries(reference.outputs).map(([name, output]) => [
        name,
        output.data.map((value) => value ?? Number.NaN),
      ]),
    ),
  };
}

/** Reads a file by the end of its name. */
export function readTreeFile(name: string, bytes: Uint8Array): Graph {
  if (name.endsWith(".onnx")) return parseOnnx(bytes);
  return name.endsWith(".ubj") ? parseXgboostUbj(bytes) : parseXgboostJson(bytes);
}

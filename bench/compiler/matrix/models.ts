import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { exportOnnx } from "@/compiler";
import { type ModelCard, modelCardSchema } from "@/lib/common/contract";
import { denseGraph } from "@/tests/support/compiler/dense-graph";
import { imageNet as randomImageNet } from "@/tests/support/compiler/map-graph";
import { randomTrees } from "@/tests/support/compiler/random-trees";

/** A model of the matrix as a file, with what lies beside it. */
export interface MatrixModel {
  readonly bytes: Uint8Array;
  readonly card: ModelCard | null;
  /** A file of rows, perhaps with labels; null for weights by seed. */
  readonly rows: Uint8Array | null;
}

/** Where each sample's files are: its folder, and the one with the rows where another sample has the same. */
const samples: Readonly<Record<string, readonly [folder: string, rows: string]>> = {
  "iris-mlp": ["public/samples/iris-mlp", "public/samples/iris-mlp"],
  "digits-mlp": ["public/samples/digits-mlp", "public/samples/digits-mlp"],
  "jets-small-mlp": ["public/samples/jets-small-mlp", "public/samples/jets-small-mlp"],
  "jets-shape-mlp": ["tests/fixtures/models/jets-shape-mlp", "public/samples/jets-small-mlp"],
  "diabetes-mlp": ["tests/fixtures/models/diabetes-mlp", "tests/fixtures/models/diabetes-mlp"],
  "wine-sklearn-mlp": [
    "tests/fixtures/models/wine-sklearn-mlp",
    "tests/fixtures/models/wine-sklearn-mlp",
  ],
  "digits-cnn": ["tests/fixtures/models/digits-cnn", "public/samples/digits-mlp"],
  "digits-autoencoder": ["tests/fixtures/models/digits-autoencoder", "public/samples/digits-mlp"],
  "iris-xgboost": ["tests/fixtures/models/iris-xgboost", "public/samples/iris-mlp"],
  "diabetes-xgboost": [
    "tests/fixtures/models/diabetes-xgboost",
    "tests/fixtures/models/diabetes-mlp",
  ],
  "breast-cancer-xgboost": [
    "tests/fixtures/models/breast-cancer-xgboost",
    "tests/fixtures/models/breast-cancer-xgboost",
  ],
  "wine-sklearn-forest": [
    "tests/fixtures/models/wine-sklearn-forest",
    "tests/fixtures/models/wine-sklearn-mlp",
  ],
};

/** Nets of the sizing tables; their weights are random, the same each time. */
const seeded: Readonly<Record<string, () => Uint8Array>> = {
  "16-16-8-8-5": () => exportOnnx(denseGraph([16, 16, 8, 8, 5])),
  "16-64-32-32-5": () => exportOnnx(denseGraph([16, 64, 32, 32, 5])),
  "784-32-10": () => exportOnnx(denseGraph([784, 32, 10])),
  "cnn-28x28-4-8": () => exportOnnx(randomImageNet([4, 8])),
  "cnn-28x28-8-16": () => exportOnnx(randomImageNet([8, 16])),
  "50-trees-depth-3": () => exportOnnx(randomTrees({ seed: 1, trees: 50, depth: 3 })),
};

export const matrixModelNames: readonly string[] = [
  ...Object.keys(samples),
  ...Object.keys(seeded),
];

/** @throws {RangeError} for a name that is not in the matrix. */
export function loadMatrixModel(name: string): MatrixModel {
  const make = seeded[name];
  if (make) return { bytes: make(), card: null, rows: null };
  const [folder, rowsFolder] = samples[name] ?? [];
  if (!folder || !rowsFolder) throw new RangeError(`${name} is not in the matrix.`);
  const read = (...parts: string[]) => new Uint8Array(readFileSync(resolve(...parts)));
  const card = modelCardSchema.parse(JSON.parse(Buffer.from(read(folder, "card.json")).toString()));
  return { bytes: read(folder, "model.onnx"), card, rows: read(rowsFolder, "test.csv") };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseOnnx } from "@/compiler/frontends/onnx";
import type { Graph } from "@/compiler/graph/graph";
import { type ModelCard, modelCardSchema } from "@/lib/common/contract";

export const sampleIds = ["iris-mlp", "digits-mlp", "jets-small-mlp", "banknote-mlp"] as const;
export type SampleId = (typeof sampleIds)[number];

export interface Sample {
  readonly bytes: Uint8Array;
  readonly graph: Graph;
  readonly card: ModelCard;
  /** Held-back rows. */
  readonly rows: readonly Float64Array[];
  readonly labels: readonly number[];
}

/** One of the models that come with the project, with its held-back rows. */
export function loadSample(id: SampleId): Sample {
  const folder = join(process.cwd(), "public/samples", id);
  const bytes = new Uint8Array(readFileSync(join(folder, "model.onnx")));
  const card = modelCardSchema.parse(JSON.parse(readFileSync(join(folder, "card.json"), "utf8")));
  const lines = readFileSync(join(folder, "test.csv"), "utf8").trim().split("\n").slice(1);
  const table = lines.map((line) => Float64Array.from(line.split(","), Number));
  return {
    bytes,
    graph: parseOnnx(bytes),
    card,
    rows: table.map((row) => row.slice(0, -1)),
    labels: table.map((row) => row.at(-1) ?? -1),
  };
}

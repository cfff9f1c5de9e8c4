import {
  engineVerdicts,
  type Format,
  loadReader,
  type ParsedModel,
  readModel,
  refusalOf,
  sniff,
} from "@/engines";
import type { Inspection, ModelCard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { judgeArchive } from "./archive";
import { describeGraph } from "./describe-graph";

export interface Inspected {
  readonly inspection: Inspection;
  readonly graph: ParsedModel["graph"];
}

/**
 * Looks at a model file without running anything of it. Holds its thread for as long as that takes.
 *
 * @throws {AppError} with the reason why the file cannot be taken.
 */
export async function inspectModel(bytes: Uint8Array, card: ModelCard | null): Promise<Inspected> {
  const format = sniff(bytes);
  await refuseArchive(bytes, format);
  await loadReader(format);
  const model = readModel(bytes, digestOf(bytes));
  const { graph } = model;
  if (graph === null) throw refusalOf(format, bytes) ?? fail("MODEL_FORMAT_UNKNOWN", "No graph.");
  const inspection: Inspection = {
    format: model.format,
    sizeBytes: bytes.length,
    digest: model.digest,
    ...describeGraph(graph),
    engines: [...engineVerdicts(model)],
    ...(card === null ? {} : { card }),
  };
  return { inspection, graph };
}

const packings: Readonly<Partial<Record<Format, "zip" | "tar" | "gzip">>> = {
  keras: "zip",
  zip: "zip",
  tar: "tar",
  gzip: "gzip",
};

/** Archives are judged first, then named by what they hold: no engine takes one yet. */
async function refuseArchive(bytes: Uint8Array, format: Format): Promise<void> {
  const packing = packings[format];
  if (packing === undefined) return;
  const names = (await judgeArchive(bytes, packing)) ?? [];
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const inside: Format = holds(/(^|\/)[^/]+\.(pkl|pickle|joblib)$/i)
    ? "pickle"
    : holds(/(^|\/)saved_model\.pb$/)
      ? "savedmodel"
      : format;
  const refusal = refusalOf(inside, bytes);
  if (refusal) throw refusal;
}

import {
  engineVerdicts,
  type Format,
  listEngines,
  loadReader,
  type ParsedModel,
  readModel,
  refusalOf,
  sniff,
} from "@/engines";
import type { Inspection, ModelCard } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { judgeArchive, type Packing } from "./archive";
import { describeGraph } from "./describe-graph";
import { describeSavedModel, holdsSavedModel, readArchive } from "./saved-model";

/** The facts about a model, with its graph where an engine can use it. */
export interface Inspected extends Pick<ParsedModel, "graph" | "savedModel"> {
  readonly inspection: Inspection;
}

/**
 * Inspects a model file without running anything of it. Holds its thread for as long as that takes.
 *
 * @throws {AppError} with the reason why the file cannot be taken.
 */
export async function inspectModel(bytes: Uint8Array, card: ModelCard | null): Promise<Inspected> {
  const model = await read(bytes);
  const { graph, savedModel } = model;
  const facts = graph ? describeGraph(graph) : savedModel && describeSavedModel(savedModel);
  if (!facts) throw fail("MODEL_FORMAT_UNKNOWN", "The file is of no model format we know.");
  const verdicts = engineVerdicts(model);
  const accepting = listEngines().filter(({ id }) =>
    verdicts.some((verdict) => verdict.id === id && verdict.ok),
  );
  const outline = accepting
    .map((engine) => engine.outline?.(model, card) ?? null)
    .find((each) => each !== null);
  const [rangeFrom] = accepting.flatMap((engine) => engine.rangeFrom?.(model, card) ?? []);
  const hasIntegers = accepting.some((engine) => engine.rangeFrom !== undefined);
  const inspection: Inspection = {
    format: model.format,
    sizeBytes: bytes.length,
    digest: model.digest,
    ...facts,
    engines: [...verdicts],
    ...(outline ? { outline } : {}),
    ...(card === null ? {} : { card }),
    ...(hasIntegers ? { rangeFrom: rangeFrom ?? null } : {}),
  };
  return { inspection, graph, savedModel };
}

const packings: Readonly<Partial<Record<Format, Packing>>> = {
  keras: "zip",
  zip: "zip",
  tar: "tar",
  gzip: "gzip",
};

/** Archives are judged first, then taken by what they hold. */
async function read(bytes: Uint8Array): Promise<ParsedModel> {
  const format = sniff(bytes);
  const packing = packings[format];
  const names = packing === undefined ? null : await judgeArchive(bytes, packing);
  if (names?.some((name) => /(^|\/)[^/]+\.(pkl|pickle|joblib)$/i.test(name))) {
    throw refusalOf("pickle", bytes) ?? fail("MODEL_NOT_ALLOWED", "The archive holds a pickle.");
  }
  const digest = digestOf(bytes);
  if (packing !== undefined && names && holdsSavedModel(names)) {
    return await readArchive({ bytes, digest }, packing, names);
  }
  await loadReader(format);
  return readModel(bytes, digest);
}

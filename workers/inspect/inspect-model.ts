import {
  describeFirmware,
  type Engine,
  engineVerdicts,
  type FirmwarePart,
  type Format,
  listEngines,
  loadReader,
  type ParsedModel,
  readFirmware,
  readModel,
  refusalOf,
  sniff,
} from "@/engines";
import type { Inspection, ModelCard, OptionLayer, Outline } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { judgeArchive, type Packing } from "./archive";
import { holdsArtifact, readArtifactArchive } from "./artifact-archive";
import { describeGraph } from "./describe-graph";
import { describeSavedModel, holdsSavedModel, readArchive } from "./saved-model";

/** Files of the same name with other endings, which lay beside the one that is inspected. */
export type PartsBeside = Partial<Record<FirmwarePart, Uint8Array>>;

/** The facts about a model, with its graph where an engine can use it. */
export interface Inspected extends Pick<ParsedModel, "graph" | "savedModel" | "firmware"> {
  readonly inspection: Inspection;
}

/**
 * Inspects a model file without running anything of it. Holds its thread for as long as that takes.
 *
 * @throws {AppError} with the reason why the file cannot be taken.
 */
export async function inspectModel(
  bytes: Uint8Array,
  card: ModelCard | null,
  beside: PartsBeside = {},
): Promise<Inspected> {
  const model = await read(bytes, beside);
  const { graph, savedModel, firmware } = model;
  const facts = factsOf(model);
  if (!facts) throw fail("MODEL_FORMAT_UNKNOWN", "The file is of no model format we know.");
  const verdicts = engineVerdicts(model);
  const accepting = listEngines().filter(({ id }) =>
    verdicts.some((verdict) => verdict.id === id && verdict.ok),
  );
  const outlines = accepting.flatMap((engine) => {
    const outline = findOutline(engine, model, card);
    return outline ? [[engine.id, outline] as const] : [];
  });
  const optionLayers = accepting.flatMap((engine): [string, OptionLayer[]][] => {
    const layers = engine.optionLayers?.(model) ?? [];
    return layers.length > 0 ? [[engine.id, [...layers]]] : [];
  });
  const [rangeFrom] = accepting.flatMap((engine) => engine.rangeFrom?.(model, card) ?? []);
  const hasIntegers = accepting.some((engine) => engine.rangeFrom !== undefined);
  const inspection: Inspection = {
    format: model.format,
    sizeBytes: bytes.length,
    digest: model.digest,
    ...facts,
    engines: [...verdicts],
    ...(outlines.length > 0 ? { outlines: Object.fromEntries(outlines) } : {}),
    ...(optionLayers.length > 0 ? { optionLayers: Object.fromEntries(optionLayers) } : {}),
    ...(card === null ? {} : { card }),
    ...(hasIntegers ? { rangeFrom: rangeFrom ?? null } : {}),
  };
  return { inspection, graph, savedModel, ...(firmware ? { firmware } : {}) };
}

/** Null where a build would refuse the model, too. */
function findOutline(engine: Engine, model: ParsedModel, card: ModelCard | null): Outline | null {
  try {
    return engine.outline?.(model, card) ?? null;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function factsOf({ graph, savedModel, firmware }: ParsedModel) {
  if (graph) return describeGraph(graph);
  if (firmware) return describeFirmware(firmware);
  return savedModel && describeSavedModel(savedModel);
}

const packings: Readonly<Partial<Record<Format, Packing>>> = {
  keras: "zip",
  zip: "zip",
  tar: "tar",
  gzip: "gzip",
};

/** Archives are judged first, then taken by what they hold. */
async function read(bytes: Uint8Array, beside: PartsBeside): Promise<ParsedModel> {
  const firmware = readFirmware({ bytes, digest: digestOf(bytes) }, beside);
  if (firmware) return firmware;
  const format = sniff(bytes);
  const packing = packings[format];
  const names = packing === undefined ? null : await judgeArchive(bytes, packing);
  if (names?.some((name) => /(^|\/)[^/]+\.(pkl|pickle|joblib)$/i.test(name))) {
    throw refusalOf("pickle", bytes) ?? fail("MODEL_NOT_ALLOWED", "The archive holds a pickle.");
  }
  const digest = digestOf(bytes);
  if (packing !== undefined && names && holdsArtifact(names)) {
    return await readArtifactArchive({ bytes, digest }, packing, names);
  }
  if (packing !== undefined && names && holdsSavedModel(names)) {
    return await readArchive({ bytes, digest }, packing, names);
  }
  await loadReader(format);
  return readModel(bytes, digest);
}

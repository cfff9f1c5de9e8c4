import {
  type Format,
  type Graph,
  parseBondmachineJson,
  parseKeras,
  parseKerasH5,
  parseOnnx,
  parseSavedModel,
  parseXgboostJson,
  parseXgboostUbj,
  refusalOf,
  sniff,
} from "@/compiler";
import type { Digest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { cutText, hasControls, showText } from "@/lib/common/text";
import type { ParsedModel } from "./engine";

const readers: Readonly<Partial<Record<Format, (bytes: Uint8Array) => Graph>>> = {
  onnx: parseOnnx,
  keras: parseKeras,
  "keras-h5": parseKerasH5,
  "xgboost-json": parseXgboostJson,
  "xgboost-ubj": parseXgboostUbj,
  "bondmachine-json": parseBondmachineJson,
};

/**
 * Recognises a model file by its bytes and reads it into a graph; `loadReader()` of its format comes first.
 *
 * @throws {AppError} with the reason why it cannot be taken: `FORMAT_HAS_NO_ENGINE` for formats that are only recognised.
 */
export function readModel(bytes: Uint8Array, digest: Digest): ParsedModel {
  const format = sniff(bytes);
  const refusal = refusalOf(format, bytes);
  if (refusal) throw refusal;
  const read = readers[format];
  if (!read) throw fail("MODEL_FORMAT_UNKNOWN", "The file is of no model format we know.");
  const graph = read(bytes);
  refuseControls(namesOf(graph));
  return { format, bytes, digest, graph, savedModel: null };
}

function* namesOf({ inputs, outputs, nodes, constants, shapes }: Graph): Generator<string> {
  for (const { name } of inputs) yield name;
  for (const { name } of outputs) yield name;
  for (const { name, operator, domain } of nodes) yield* [name, operator, domain];
  yield* constants.keys();
  yield* shapes.keys();
}

/** Names travel into logs, tables and requests: one that would forge a line there, or that no store takes, is refused. */
function refuseControls(names: Iterable<string>): void {
  for (const name of names) {
    if (!hasControls(name)) continue;
    const shown = showText(cutText(name, 80));
    throw fail("MODEL_INVALID", `The name "${shown}" in the model holds a control character.`, {
      hint: "Rename it where the model was made, and export the model again.",
    });
  }
}

/** The file that makes a folder a SavedModel. */
export const savedModelFile = "saved_model.pb";

const metadataFile = "keras_metadata.pb";
const weightFile = /^variables\.(index|data-\d{5}-of-\d{5})$/;

/**
 * Reads the folder of a SavedModel that lay in an archive. What is read here is what TensorFlow will be given.
 *
 * @param archive The file as it came, and its digest.
 * @param files Of the folder and of `variables/` in it, by name alone; what TensorFlow need not see is left out.
 * @throws {AppError} with the reason why it cannot be taken.
 */
export function readSavedModel(
  archive: Pick<ParsedModel, "bytes" | "digest">,
  files: ReadonlyMap<string, Uint8Array>,
): ParsedModel {
  const graph = files.get(savedModelFile) ?? new Uint8Array();
  const model = parseSavedModel(graph, files.get(metadataFile) ?? null);
  if (model.variables.length > 0 && !files.has("variables.index")) {
    throw fail("MODEL_INVALID", "The weights are missing: there is no variables/variables.index.", {
      hint: "Pack the whole folder of the SavedModel.",
    });
  }
  const { inputs, outputs } = model.signature;
  refuseControls([...inputs, ...outputs, ...model.variables].map(({ name }) => name));
  const needed = [...files].filter(([name]) => name === savedModelFile || weightFile.test(name));
  return {
    ...archive,
    format: "savedmodel",
    graph: null,
    savedModel: { ...model, files: new Map(needed.sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

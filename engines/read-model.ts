import {
  type Format,
  type Graph,
  parseKeras,
  parseKerasH5,
  parseOnnx,
  parseXgboostJson,
  parseXgboostUbj,
  refusalOf,
  sniff,
} from "@/compiler";
import type { Digest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel } from "./engine";

const readers: Readonly<Partial<Record<Format, (bytes: Uint8Array) => Graph>>> = {
  onnx: parseOnnx,
  keras: parseKeras,
  "keras-h5": parseKerasH5,
  "xgboost-json": parseXgboostJson,
  "xgboost-ubj": parseXgboostUbj,
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
  return { format, bytes, digest, graph: read(bytes) };
}

import { parseOnnx, refusalOf, sniff } from "@/compiler";
import type { Digest } from "@/lib/common/contract";
import type { ParsedModel } from "./engine";

/**
 * Recognises a model file by its bytes and reads it into a graph.
 *
 * @throws {AppError} with the reason why it cannot be taken: `FORMAT_HAS_NO_ENGINE` for formats that are only recognised.
 */
export function readModel(bytes: Uint8Array, digest: Digest): ParsedModel {
  const format = sniff(bytes);
  const refusal = refusalOf(format, bytes);
  if (refusal) throw refusal;
  return { format, bytes, digest, graph: parseOnnx(bytes) };
}

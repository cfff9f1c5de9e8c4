import { fail } from "@/lib/common/errors";
import type { Graph } from "../../graph/graph";
import { buildGraph } from "./build-graph";
import { limits } from "./limits";
import { readJson } from "./read-json";
import { readModel } from "./read-model";
import { readUbj } from "./read-ubj";

/** Reads an XGBoost model saved as JSON. @throws {AppError} with a `MODEL_…` reason. */
export function parseXgboostJson(bytes: Uint8Array): Graph {
  return buildGraph(readModel(readJson(checked(bytes))));
}

/** Reads an XGBoost model saved as UBJSON. @throws {AppError} with a `MODEL_…` reason. */
export function parseXgboostUbj(bytes: Uint8Array): Graph {
  return buildGraph(readModel(readUbj(checked(bytes))));
}

function checked(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= limits.bytes) return bytes;
  throw fail("MODEL_TOO_COMPLEX", `The model has ${bytes.length} bytes.`);
}

import { fail } from "@/lib/common/errors";
import { quoted, sizeInWords } from "../../graph/words";
import { depthLimit, depthOf } from "../json-depth";
import { isJson, type Json } from "./fields";
import { limits } from "./limits";

/**
 * Parses an object of a model file.
 *
 * @throws {AppError} `MODEL_TOO_COMPLEX` before anything is built, `MODEL_INVALID`.
 */
export function parseJson(bytes: Uint8Array, name: string): Json {
  if (bytes.length > limits.configBytes) {
    throw fail("MODEL_TOO_COMPLEX", `${quoted(name)} takes ${sizeInWords(BigInt(bytes.length))}.`);
  }
  if (depthOf(bytes) > depthLimit) {
    throw fail("MODEL_TOO_COMPLEX", `${quoted(name)} is nested too deeply.`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(withoutPythonNumbers(text));
    if (isJson(value)) return value;
  } catch {
    throw fail("MODEL_INVALID", `${quoted(name)} is no valid JSON.`);
  }
  throw fail("MODEL_INVALID", `${quoted(name)} is no JSON object.`);
}

/** A string as JSON has it, or a number that Python writes and JSON does not know. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/g;

/** Python writes infinities as words, as HGQ2 does for speeds of training; nothing that is read here has one. */
const withoutPythonNumbers = (text: string): string =>
  /\b(?:Infinity|NaN)\b/.test(text)
    ? text.replace(stringOrNumber, (found) => (found.startsWith('"') ? found : "null"))
    : text;

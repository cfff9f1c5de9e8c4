import type { Parameters, ParameterValue } from "./infer";
import { integerOfToken } from "./integer-token";
import type { JsonScanner } from "./json-scanner";
import { invalid, tensorLimits } from "./shape";

const none: Parameters = new Map();

/** Reads a `parameters` object; null counts as absent, also as the value of a key. */
export function readParameters(scanner: JsonScanner, depth: number, label: string): Parameters {
  if (scanner.acceptWord("null")) return none;
  if (scanner.peek() !== 0x7b) throw invalid(`the parameters of ${label} are not an object`);
  const parameters = new Map<string, ParameterValue>();
  let entries = 0;
  scanner.readObject(depth, (key) => {
    const value = readValue(scanner);
    if (value === undefined) {
      throw invalid(`parameter '${key}' of ${label} is neither a bool, a number nor a string`);
    }
    if (value === null) parameters.delete(key);
    else parameters.set(key, value);
    if (++entries > tensorLimits.parameters) {
      throw invalid(`${label} has more than ${tensorLimits.parameters} parameters`);
    }
  });
  return parameters;
}

function readValue(scanner: JsonScanner): ParameterValue | null | undefined {
  const byte = scanner.peek();
  if (byte === 0x22) return scanner.readString();
  if (byte === 0x7b || byte === 0x5b) return undefined;
  if (scanner.acceptWord("true")) return true;
  if (scanner.acceptWord("false")) return false;
  if (scanner.acceptWord("null")) return null;
  const value = scanner.readNumber();
  if (!scanner.plain) return scanner.exact ? value : Number(scanner.token());
  if (Number.isSafeInteger(value)) return value;
  return integerOfToken(scanner.token()) ?? value;
}

/** A boolean parameter; undefined where it is absent. @throws {AppError} `INFER_INVALID` for any other type. */
export function boolParameter(parameters: Parameters, key: string): boolean | undefined {
  const value = parameters.get(key);
  if (value === undefined || typeof value === "boolean") return value;
  throw invalid(`parameter '${key}' must be true or false`);
}

/** A count of bytes or elements: a non-negative integer. */
export function countParameter(parameters: Parameters, key: string): number | undefined {
  const value = parameters.get(key);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(`parameter '${key}' must be a non-negative integer`);
}

import { type AppError, fail } from "@/lib/common/errors";
import { limits } from "./limits";
import { UbjCursor, widths } from "./ubj-cursor";

/** What a typed list may hold besides numbers. Of the rest, values take no bytes: a count of them would be believed blindly. */
const sizedKinds = ["{", "[", "S", "C"];

/**
 * Reads a UBJSON file into plain values. Counts are believed only as far as there are bytes for them.
 *
 * @throws {AppError} `MODEL_INVALID`, `MODEL_TRUNCATED`, `MODEL_TOO_COMPLEX`.
 * @see https://ubjson.org, draft 12, with the strongly typed containers that XGBoost writes.
 */
export function readUbj(bytes: Uint8Array): unknown {
  const file: UbjFile = { cursor: new UbjCursor(bytes), values: 0 };
  return readValue(file, file.cursor.marker(), 0);
}

interface UbjFile {
  readonly cursor: UbjCursor;
  /** How many were read, of all kinds. */
  values: number;
}

function readValue(file: UbjFile, kind: string, depth: number): unknown {
  const { cursor } = file;
  if (depth > limits.depth) throw tooComplex("The file is nested too deeply to be a model.");
  file.values += 1;
  if (file.values > limits.values) {
    throw tooComplex(`The file holds more than ${limits.values} values.`);
  }
  switch (kind) {
    case "{":
      return readObject(file, depth + 1);
    case "[":
      return readArray(file, depth + 1);
    case "S":
      return cursor.string();
    case "C":
      return cursor.character();
    case "T":
      return true;
    case "F":
      return false;
    case "Z":
      return null;
    default:
      return cursor.number(kind);
  }
}

function readArray(file: UbjFile, depth: number): unknown[] {
  const { cursor } = file;
  const { kind, count } = readShape(cursor);
  const list: unknown[] = [];
  if (count !== null) {
    for (let i = 0; i < count; i++) list.push(readValue(file, kind ?? cursor.marker(), depth));
    return list;
  }
  for (let next = cursor.marker(); next !== "]"; next = cursor.marker()) {
    list.push(readValue(file, next, depth));
  }
  return list;
}

function readObject(file: UbjFile, depth: number): Record<string, unknown> {
  const { cursor } = file;
  const { kind, count } = readShape(cursor);
  const members: [string, unknown][] = [];
  const readMember = (): void => {
    const key = cursor.string();
    members.push([key, readValue(file, kind ?? cursor.marker(), depth)]);
  };
  if (count !== null) for (let i = 0; i < count; i++) readMember();
  else while (!cursor.skip("}")) readMember();
  return Object.fromEntries(members);
}

/** What `$type` and `#count` after an opening bracket say. */
function readShape(cursor: UbjCursor): {
  readonly kind: string | null;
  readonly count: number | null;
} {
  const kind = cursor.skip("$") ? cursor.marker() : null;
  if (!cursor.skip("#")) {
    if (kind !== null) throw cursor.broken();
    return { kind, count: null };
  }
  const count = cursor.length();
  if (kind !== null && widths[kind] === undefined && !sizedKinds.includes(kind)) {
    throw cursor.broken();
  }
  // Each takes a byte at least.
  cursor.need(count * (widths[kind ?? ""] ?? 1));
  return { kind, count };
}

function tooComplex(message: string): AppError {
  return fail("MODEL_TOO_COMPLEX", message);
}

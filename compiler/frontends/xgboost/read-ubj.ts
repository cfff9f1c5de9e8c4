import { type AppError, fail } from "@/lib/common/errors";
import { limits } from "./limits";

const text = new TextDecoder("utf-8");
/** Widths in bytes of the numbers, by their marker. */
const widths: Readonly<Record<string, number>> = {
  i: 1,
  U: 1,
  I: 2,
  l: 4,
  L: 8,
  d: 4,
  D: 8,
};
/** What a typed list may hold besides numbers. Of the rest, values take no bytes: a count of them would be believed blindly. */
const sizedKinds = ["{", "[", "S", "C"];

/**
 * Reads a UBJSON file into plain values. Counts are believed only as far as there are bytes for them.
 *
 * @throws {AppError} `MODEL_INVALID`, `MODEL_TRUNCATED`, `MODEL_TOO_COMPLEX`.
 * @see https://ubjson.org, draft 12, with the strongly typed containers that XGBoost writes.
 */
export function readUbj(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let values = 0;

  const need = (count: number): void => {
    if (at + count > bytes.length) throw truncated(bytes.length);
  };
  const marker = (): string => {
    for (;;) {
      need(1);
      const code = String.fromCharCode(bytes[at++] ?? 0);
      if (code !== "N") return code;
    }
  };
  const number = (kind: string): number => {
    const width = widths[kind];
    if (width === undefined) throw broken(at);
    need(width);
    const from = at;
    at += width;
    switch (kind) {
      case "i":
        return view.getInt8(from);
      case "U":
        return view.getUint8(from);
      case "I":
        return view.getInt16(from);
      case "l":
        return view.getInt32(from);
      case "L":
        return Number(view.getBigInt64(from));
      case "d":
        return view.getFloat32(from);
      default:
        return view.getFloat64(from);
    }
  };
  const length = (): number => {
    const count = number(marker());
    if (!Number.isSafeInteger(count) || count < 0) throw broken(at);
    return count;
  };
  const string = (): string => {
    const count = length();
    need(count);
    at += count;
    return text.decode(bytes.subarray(at - count, at));
  };

  /** What `$type` and `#count` after an opening bracket say. */
  const shape = (): { readonly kind: string | null; readonly count: number | null } => {
    need(1);
    let kind: string | null = null;
    if (bytes[at] === 0x24) {
      at++;
      kind = marker();
      need(1);
      if (bytes[at] !== 0x23) throw broken(at);
    }
    if (bytes[at] !== 0x23) return { kind, count: null };
    at++;
    const count = length();
    if (kind !== null && widths[kind] === undefined && !sizedKinds.includes(kind)) throw broken(at);
    // Each takes a byte at least.
    need(count * (widths[kind ?? ""] ?? 1));
    return { kind, count };
  };

  const array = (depth: number): unknown[] => {
    const { kind, count } = shape();
    const list: unknown[] = [];
    if (count !== null) {
      for (let i = 0; i < count; i++) list.push(value(kind ?? marker(), depth));
      return list;
    }
    for (let next = marker(); next !== "]"; next = marker()) list.push(value(next, depth));
    return list;
  };

  const object = (depth: number): Record<string, unknown> => {
    const { kind, count } = shape();
    const members: [string, unknown][] = [];
    const member = (): void => {
      const key = string();
      members.push([key, value(kind ?? marker(), depth)]);
    };
    if (count !== null) for (let i = 0; i < count; i++) member();
    else {
      for (;;) {
        need(1);
        if (bytes[at] === 0x7d) break;
        member();
      }
      at++;
    }
    return Object.fromEntries(members);
  };

  const value = (kind: string, depth: number): unknown => {
    if (depth > limits.depth) {
      throw fail("MODEL_TOO_COMPLEX", "The file is nested too deeply to be a model.");
    }
    values += 1;
    if (values > limits.values) {
      throw fail("MODEL_TOO_COMPLEX", `The file holds more than ${limits.values} values.`);
    }
    switch (kind) {
      case "{":
        return object(depth + 1);
      case "[":
        return array(depth + 1);
      case "S":
        return string();
      case "C":
        need(1);
        return String.fromCharCode(bytes[at++] ?? 0);
      case "T":
        return true;
      case "F":
        return false;
      case "Z":
        return null;
      default:
        return number(kind);
    }
  };

  return value(marker(), 0);
}

function broken(at: number): AppError {
  return fail("MODEL_INVALID", `The UBJSON is broken at byte ${at}.`);
}

function truncated(size: number): AppError {
  return fail("MODEL_TRUNCATED", `The UBJSON ends at byte ${size}, before the model does.`, {
    hint: "This is likely an incomplete download.",
  });
}

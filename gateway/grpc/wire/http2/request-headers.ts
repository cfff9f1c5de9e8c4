import { errorCodes, StreamError } from "./errors";
import type { Field } from "./hpack";
import type { Headers } from "./stream";

const pseudo: ReadonlySet<string> = new Set([":method", ":scheme", ":path", ":authority"]);
const ofHttp1: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);
const properName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const improperValue = /[\u0000\r\n]/;

/** The headers that blocks said, by the very list: what was judged once is not judged again. */
const judged = new WeakMap<readonly Field[], Headers>();

/** A request's headers by name. @throws {StreamError} for what RFC 9113 section 8 calls malformed. */
export function requestHeaders(streamId: number, fields: readonly Field[]): Headers {
  const known = judged.get(fields);
  if (known) return known;
  const headers: Record<string, string | undefined> = Object.create(null);
  let plain = false;
  for (const [name, value] of fields) {
    if (name.startsWith(":")) {
      if (plain || !pseudo.has(name) || headers[name] !== undefined)
        throw malformed(streamId, name);
      headers[name] = value;
      continue;
    }
    plain = true;
    check(streamId, name, value);
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before},${value}`;
  }
  for (const name of [":method", ":scheme", ":path"]) {
    if (!headers[name]) throw malformed(streamId, name);
  }
  judged.set(fields, headers);
  return headers;
}

/** @throws {StreamError} for trailers that are none. */
export function checkTrailers(streamId: number, fields: readonly Field[]): void {
  for (const [name, value] of fields) {
    if (name.startsWith(":")) throw malformed(streamId, name);
    check(streamId, name, value);
  }
}

function check(streamId: number, name: string, value: string): void {
  const isProper = properName.test(name) && !ofHttp1.has(name) && !improperValue.test(value);
  if (!isProper || (name === "te" && value !== "trailers")) throw malformed(streamId, name);
}

const malformed = (streamId: number, name: string) =>
  new StreamError(streamId, errorCodes.protocol, `the header '${name.slice(0, 40)}' is malformed`);

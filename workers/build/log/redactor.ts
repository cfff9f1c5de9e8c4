import { Buffer } from "node:buffer";

/** What a secret is replaced by. */
export const redacted = "[redacted]";
const mask = Buffer.from(redacted);
const shortestNeedle = 6;

/** Passes bytes on, with every known secret masked. */
export interface Redactor {
  push(bytes: Uint8Array): Buffer;
  /** The bytes that were held back, since a secret might have gone on after them. */
  end(): Buffer;
}

/**
 * Masks secrets in a byte stream, in every usual spelling: raw, base64 at its three offsets, base64url, hex, URL- and
 * JSON-escaped. However the input is cut into pieces, the output is the same.
 *
 * @param secrets Those below 6 bytes are left alone: they would mask ordinary text.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const needles = [...new Set(secrets.flatMap(spellings))]
    .map((text) => Buffer.from(text, "latin1"))
    .filter(({ length }) => length >= shortestNeedle)
    .sort((a, b) => b.length - a.length);
  const byFirst = new Map<number, Buffer[]>();
  for (const needle of needles) {
    const first = needle[0] ?? 0;
    byFirst.set(first, [...(byFirst.get(first) ?? []), needle]);
  }
  const longest = needles[0]?.length ?? 0;
  let held: Buffer = Buffer.alloc(0);

  /** A place is judged once the longest needle could be seen whole from it. */
  const take = (upTo: number): Buffer => {
    const out: Buffer[] = [];
    let clean = 0;
    let at = 0;
    while (at < upTo) {
      const needle = byFirst
        .get(held[at] ?? -1)
        ?.find((one) => held.subarray(at, at + one.length).equals(one));
      if (needle) {
        out.push(held.subarray(clean, at), mask);
        at += needle.length;
        clean = at;
      } else at++;
    }
    out.push(held.subarray(clean, at));
    held = Buffer.from(held.subarray(at));
    return Buffer.concat(out);
  };

  return {
    push(bytes) {
      if (longest === 0) return Buffer.from(bytes);
      held = Buffer.concat([held, bytes]);
      return take(Math.max(0, held.length - longest + 1));
    },
    end: () => take(held.length),
  };
}

/** As Latin-1 text of the bytes, so that each character is one byte. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const raw = bytes.toString("latin1");
  if (raw.length < shortestNeedle) return [];
  return [
    raw,
    ...[0, 1, 2].flatMap((offset) => {
      const text = base64At(bytes, offset);
      return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
    }),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    Buffer.from(encodeURIComponent(secret)).toString("latin1"),
    Buffer.from(JSON.stringify(secret).slice(1, -1)).toString("latin1"),
  ];
}

/** The characters of base64 that depend on the secret alone, when `offset` other bytes stand before it. */
function base64At(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const from = Math.ceil((offset * 8) / 6);
  const to = Math.floor(((offset + bytes.length) * 8) / 6);
  return padded.slice(from, to);
}

const patterns: readonly [RegExp, string][] = [
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}@/gi, `$1${redacted}@`],
  [/(\bX-Amz-(?:Signature|Credential|Security-Token)=)[^\s&"']{1,4000}/gi, `$1${redacted}`],
  [/(\bBearer\s{1,4})[A-Za-z0-9._~+/=-]{6,4000}/gi, `$1${redacted}`],
  [/\bbw_[a-z]{1,20}_[A-Za-z0-9]{6,200}/g, redacted],
];
const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const keyEnds = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;

/** Masks what looks like a secret in finished lines: passwords in URLs, signatures, bearer tokens, private keys. */
export function createLineRedactor(): (line: string) => string {
  let inKey = false;
  return (line) => {
    const begins = !inKey && keyBegins.test(line);
    if (begins || inKey) {
      inKey = !keyEnds.test(line);
      return redacted;
    }
    return patterns.reduce((text, [pattern, by]) => text.replace(pattern, by), line);
  };
}

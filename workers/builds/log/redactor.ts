import { Buffer } from "node:buffer";
import { cutText } from "@/lib/common/text";

/** What a secret is replaced by. */
export const redacted = "[redacted]";
const shortestNeedle = 6;
/** What may stand between the bytes of a hex dump: blanks, `:`, `0x`, `\x`, `%`. */
const betweenBytes = "(?:[\\s,:;_%-]{0,3}(?:0x|\\\\x)?)";
const betweenBytesLength = 5;
/** The password of a URL is known as one by the `@` behind it. */
const longestPattern = 512;
/** In the shown text, but not seen as part of a word: colours, marks of invisible characters, bad UTF-8. */
const noise = /\u001b\[[0-9;:]*m|<U\+[0-9A-F]{4}>|\ufffd/g;

/** Masks secrets in finished lines. */
export interface LineRedactor {
  /** Visible characters that a line must keep beyond its limit, so that no secret is cut before it is seen. */
  readonly overlap: number;
  /** @param limit Nothing of the line beyond this many UTF-16 units is given back; it is judged all the same. */
  redact(line: string, limit?: number): string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Masks known secrets in every usual spelling (raw, base64 at its three offsets, base64url, hex also with blanks between,
 * URL- and JSON-escaped) and what looks like one: passwords in URLs, signatures, bearer tokens, private keys. It judges
 * what a reader sees, after control sequences were dropped: colours and invisible marks inside a secret do not hide it.
 *
 * @param secrets Those below 6 bytes are left alone: they would mask ordinary text.
 */
export function createLineRedactor(secrets: readonly string[]): LineRedactor {
  // A secret of several lines is never seen in one.
  const pieces = secrets
    .flatMap((secret) => secret.split(/[\r\n]+/))
    .filter((piece) => Buffer.byteLength(piece) >= shortestNeedle);
  const longestBytes = Math.max(0, ...pieces.map((piece) => Buffer.byteLength(piece)));
  const needles = needlesOf(pieces);
  let inKey = false;

  return {
    // A byte takes at most 6 characters, `\u00df`, or two digits and what stands between.
    overlap: Math.max(longestPattern, longestBytes * Math.max(6, 2 + betweenBytesLength)),
    redact(line, limit = line.length) {
      const { plain, origin } = plainOf(line);
      const begins = !inKey && keyBegins.test(plain);
      if (begins || inKey) {
        inKey = !keyEnds.test(plain);
        return redacted;
      }
      const found = [
        ...needles.flatMap((needle) => findAll(needle, plain)),
        ...patterns.flatMap((pattern) => findPattern(pattern, plain)),
      ];
      return mask(cutText(line, limit), line, { origin, ranges: merge(found) });
    },
  };
}

/** The line without noise, and where each of its characters stands in it; null where nothing was taken out. */
function plainOf(line: string): { plain: string; origin: Uint32Array | null } {
  if (!/[\u001b\ufffd]|<U\+/.test(line)) return { plain: line, origin: null };
  const origin = new Uint32Array(line.length + 1);
  let plain = "";
  let from = 0;
  const take = (to: number) => {
    for (let at = from; at < to; at++) origin[plain.length + at - from] = at;
    plain += line.slice(from, to);
  };
  for (const { 0: match, index } of line.matchAll(noise)) {
    take(index);
    from = index + match.length;
  }
  take(line.length);
  return { plain, origin };
}

/** Expressions that find every spelling; of those that begin at one place the longest comes first. */
function needlesOf(secrets: readonly string[]): RegExp[] {
  const literals = [...new Set(secrets.flatMap(spellings))]
    .filter(({ length }) => length >= shortestNeedle)
    .sort((a, b) => b.length - a.length);
  if (literals.length === 0) return [];
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const dumps = secrets
    .map((secret) => [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, "0")))
    .sort((a, b) => b.length - a.length)
    .map((bytes) => bytes.join(betweenBytes));
  return [new RegExp(literals.map(literal).join("|"), "g"), new RegExp(dumps.join("|"), "gi")];
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [
    secret.replace(noise, ""),
    ...[0, 1, 2].flatMap((offset) => {
      const text = base64At(bytes, offset);
      return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
    }),
    url,
    url.replace(/%../g, (escaped) => escaped.toLowerCase()),
    json,
    ascii,
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

/** Every match, those that begin inside another one too. */
function findAll(needle: RegExp, text: string): Range[] {
  const found: Range[] = [];
  needle.lastIndex = 0;
  for (let match = needle.exec(text); match; match = needle.exec(text)) {
    found.push({ from: match.index, to: match.index + match[0].length });
    needle.lastIndex = match.index + 1;
  }
  return found;
}

/** Group 1 is what may stay, group 2 the secret. */
const patterns: readonly RegExp[] = [
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,200}:)([^\s/@]{1,500})@/gi,
  /(\bX-Amz-(?:Signature|Credential|Security-Token)=)([^\s&"']{1,4000})/gi,
  /(\bBearer\s{1,4})([A-Za-z0-9._~+/=-]{6,4000})/gi,
  /(\b)(bw_[a-z]{1,20}_[A-Za-z0-9]{6,200})/g,
];
const keyBegins = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const keyEnds = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;

function findPattern(pattern: RegExp, text: string): Range[] {
  return [...text.matchAll(pattern)].map(({ index, 1: before = "", 2: secret = "" }) => {
    const from = index + before.length;
    return { from, to: from + secret.length };
  });
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Puts the mask for each range of the plain text; colours inside it stay, so that what follows keeps its own. */
function mask(
  kept: string,
  line: string,
  { origin, ranges }: { readonly origin: Uint32Array | null; readonly ranges: readonly Range[] },
): string {
  const place = (at: number) => (origin ? (origin[at] ?? line.length) : at);
  let out = "";
  let from = 0;
  for (const range of ranges) {
    const [begin, end] = [place(range.from), place(range.to - 1) + 1];
    if (begin >= kept.length) break;
    const colours = line.slice(begin, end).match(/\u001b\[[0-9;:]*m/g) ?? [];
    out += kept.slice(from, begin) + redacted + colours.join("");
    from = end;
  }
  return out + kept.slice(from);
}

import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

// A token reads `bw_<kind>_<43 characters of 32 random bytes><6 of a checksum>`: whoever scans files for leaked secrets finds it, and
// what somebody mistyped is told from what was made without a look into the database.

/** What tokens are for: programs of people, links to an endpoint, the portal itself, whoever is invited, or whoever forgot their password. */
export type TokenKind = "api" | "link" | "portal" | "invite" | "reset";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^bw_(api|link|portal|invite|reset)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** 62^43 is above 2^256, 62^6 above 2^32. */
const lengths = { secret: 43, checksum: 6 } as const;
const endingLength = 4;

/** A new token, and what is kept of it. */
export interface NewTokenText {
  readonly text: string;
  readonly digest: Buffer;
  readonly ending: string;
}

/** Makes a token out of 32 random bytes. */
export function makeTokenText(kind: TokenKind): NewTokenText {
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), lengths.secret);
  const head = `bw_${kind}_${secret}`;
  const text = head + checksum(head);
  return { text, digest: digestOf(text), ending: text.slice(-endingLength) };
}

/** What is kept of a token, to find it by; null for a text that no token can be. */
export function digestOfToken(text: string): Buffer | null {
  const [, , , sum] = form.exec(text) ?? [];
  if (sum === undefined || checksum(text.slice(0, -lengths.checksum)) !== sum) return null;
  return digestOf(text);
}

/** The token of ours that an `Authorization` header shows, good or not; undefined where it shows none. */
export const shownToken = (authorization: string | null | undefined): string | undefined =>
  /^[Bb][Ee][Aa][Rr][Ee][Rr] +(bw_[\x21-\x7e]{0,4093})$/.exec(authorization ?? "")?.[1];

/** Enough for random values: there is nothing to guess. */
const digestOf = (text: string) => createHash("sha256").update(text).digest();
const checksum = (text: string) => base62(BigInt(crc32(text)), lengths.checksum);

function base62(value: bigint, length: number): string {
  let left = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = digits.charAt(Number(left % 62n)) + text;
    left /= 62n;
  }
  return text;
}

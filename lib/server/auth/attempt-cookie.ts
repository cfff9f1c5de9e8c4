import { createHash, randomBytes } from "node:crypto";
import { cookieAttributes, sessionCookie, shownCookie } from "./sessions";

// Whoever goes to prove who they are takes 32 random bytes along in a cookie of ours, which no script and no other site reads. All that
// holds attempt and answer together is made of them, and the database has their digest alone.

/** What is made of an attempt's secret, each for one use. */
export type AttemptPart = "row" | "state" | "nonce" | "verifier" | "challenge";

/** One for each, so that attempts in two tabs do not end each other. */
export type AttemptOf = "service" | "passkey" | "new-passkey";

const cookieName = (of: AttemptOf) => `${sessionCookie().name}-${of}`;

/** A new attempt: its secret, and the cookie to set. */
export function makeAttempt(
  of: AttemptOf,
  ageS: number,
): { readonly secret: string; readonly cookie: string } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, cookie: `${cookieName(of)}=${secret}; ${cookieAttributes("Strict", ageS)}` };
}

/** The cookie that ends an attempt. */
export const endAttempt = (of: AttemptOf): string =>
  `${cookieName(of)}=; ${cookieAttributes("Strict", 0)}`;

/** The secret of the attempt that a request's cookies show; null: they show none. */
export const shownAttempt = (cookies: string | null, of: AttemptOf): string | null =>
  shownCookie(cookies, cookieName(of));

/** One part of an attempt, of 43 characters. */
export const partOfAttempt = (secret: string, part: AttemptPart): string =>
  createHash("sha256").update(`boardwalk ${part} ${secret}`).digest("base64url");

/** What an attempt is found by. */
export const digestOfAttempt = (secret: string): Buffer =>
  Buffer.from(partOfAttempt(secret, "row"), "base64url");

import { createHash, randomBytes } from "node:crypto";
import type { Role, Scope } from "@/lib/common/contract";
import { database, uuidv7 } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { clientHeader } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { LookUps } from "./look-ups";
import { roughPlace } from "./rough-place";

// A session is 32 random bytes in a cookie, of which the database has the digest. It ends when nobody used it for a while, and at the
// latest some days after the sign-in.

/** How long a session is good without being used, and at most. */
export const sessionLife = { idleS: 12 * 3600, wholeS: 7 * 24 * 3600 } as const;
/** That somebody is here is written down no more often. */
const notedS = 60;

/** Somebody who is signed in, and where. */
export interface Session {
  /** UUID. */
  readonly id: string;
  readonly userId: string;
  readonly isAdmin: boolean;
  /** The project that their pages show; null: they are in none. */
  readonly project: Scope | null;
  readonly role: Role | null;
}

/** Whether people sign in here. */
export const hasAccounts = (): boolean => portalEnv().BOARDWALK_ACCOUNTS === "on";

/** Whether browsers reach the portal by TLS. */
const isSecure = () => portalEnv().PORTAL_URL.startsWith("https:");

/** By what the cookie is known. A host's cookies are sent to all of its ports, so that one over plain HTTP has the port in its name. */
export const sessionCookie = () => ({
  name: isSecure() ? "__Host-bw" : `bw-${portalEnv().PORTAL_PORT}`,
  isSecure: isSecure(),
});

/** What is kept of the text in a cookie. */
export const digestOfSession = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

/** How a cookie of ours is kept: no script reads it. @param ageS In seconds; 0 takes it away. */
export const cookieAttributes = (sameSite: "Lax" | "Strict", ageS: number): string =>
  `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${ageS}${isSecure() ? "; Secure" : ""}`;

/** The text of the session that a request's cookies show; null: they show none. */
export const shownSession = (cookies: string | null | undefined): string | null =>
  shownCookie(cookies, sessionCookie().name);

/** The 32 bytes in a cookie that a request shows, as text; null: it shows none. */
export function shownCookie(cookies: string | null | undefined, name: string): string | null {
  const start = `${name}=`;
  for (const pair of (cookies ?? "").split(";")) {
    const text = pair.trim();
    if (!text.startsWith(start)) continue;
    // Signed by what set it; what is looked up is guessed by nobody.
    const value = /^([\w-]{43})(\.|%2E|$)/i.exec(text.slice(start.length))?.[1];
    if (value !== undefined) return value;
  }
  return null;
}

const lookUps = new LookUps();

/**
 * Who is signed in by a session, and the project that their pages show: the one that they chose, or else the first that they are in.
 *
 * @param address Where it is shown.
 * @returns Null for a session that was never there, has ended, or is past.
 * @throws {AppError} `STORE_UNAVAILABLE`; `RATE_LIMITED` for one that is not known, where too many such are shown
 */
export async function findSession(
  text: string,
  address: string | null | undefined,
): Promise<Session | null> {
  const digest = digestOfSession(text);
  return await lookUps.run(digest, address, () => readSession(digest));
}

async function readSession(digest: string): Promise<Session | null> {
  const [row] = await database().$queryRaw<(Session & { isNoted: boolean })[]>`
    SELECT s.id, s.user_id AS "userId", u.is_admin AS "isAdmin", m.project_id AS project, m.role,
      s.updated_at > now() - make_interval(secs => ${notedS}) AS "isNoted"
    FROM session s JOIN "user" u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT project_id, role FROM membership WHERE user_id = s.user_id
      ORDER BY (project_id = s.project_id) DESC NULLS LAST, project_id LIMIT 1) m ON true
    WHERE s.token = ${digest}
      AND s.expires_at > now() AND s.created_at > now() - make_interval(secs => ${sessionLife.wholeS})`;
  if (!row) return null;
  const { isNoted, ...session } = row;
  if (!isNoted) void noteSession(session.id);
  return session;
}

async function noteSession(id: string): Promise<void> {
  try {
    await database().$executeRaw`
      UPDATE session SET updated_at = now(), expires_at = now() + make_interval(secs => ${sessionLife.idleS})
      WHERE id = ${id}::uuid`;
  } catch (err) {
    logger().debug({ err }, "the use of a session is not written down");
  }
}

/**
 * Opens a session of somebody who has proven who they are.
 *
 * @param projectId The project that their pages show first; null: any.
 * @returns The cookie to set.
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
export async function openSession(
  { userId, projectId }: { readonly userId: string; readonly projectId: string | null },
  headers: Headers,
): Promise<string> {
  const text = randomBytes(32).toString("base64url");
  await database().$executeRaw`
    INSERT INTO session (id, user_id, token, project_id, ip_address, user_agent, expires_at)
    VALUES (${uuidv7()}::uuid, ${userId}::uuid, ${digestOfSession(text)}, ${projectId}::uuid,
      ${roughPlace(headers.get(clientHeader))}, ${(headers.get("user-agent") ?? "").slice(0, 400)},
      now() + make_interval(secs => ${sessionLife.idleS}))`;
  // The cookie outlives a night; the session says when it is over.
  return `${sessionCookie().name}=${text}; ${cookieAttributes("Lax", sessionLife.wholeS)}`;
}

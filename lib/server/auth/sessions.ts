import { createHash } from "node:crypto";
import type { Role, Scope } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { logger } from "@/lib/server/logger";

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

/** The text of the session that a request's cookies show; null: they show none. */
export function shownSession(cookies: string | null | undefined): string | null {
  const start = `${sessionCookie().name}=`;
  for (const pair of (cookies ?? "").split(";")) {
    const text = pair.trim();
    if (!text.startsWith(start)) continue;
    // Signed by what set it; what is looked up is guessed by nobody.
    const value = /^([\w-]{43})(\.|%2E|$)/i.exec(text.slice(start.length))?.[1];
    if (value !== undefined) return value;
  }
  return null;
}

/**
 * Who is signed in by a session, and the project that their pages show: the one that they chose, or else the first that they are in.
 *
 * @returns Null for a session that was never there, has ended, or is past.
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
export async function findSession(text: string): Promise<Session | null> {
  const [row] = await database().$queryRaw<(Session & { isNoted: boolean })[]>`
    SELECT s.id, s.user_id AS "userId", u.is_admin AS "isAdmin", m.project_id AS project, m.role,
      s.updated_at > now() - make_interval(secs => ${notedS}) AS "isNoted"
    FROM session s JOIN "user" u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT project_id, role FROM membership WHERE user_id = s.user_id
      ORDER BY (project_id = s.project_id) DESC NULLS LAST, project_id LIMIT 1) m ON true
    WHERE s.token = ${digestOfSession(text)}
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

import type { Scope, TokenScope } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { digestOfToken, type TokenKind } from "./token-text";

/** What a token is good for. */
export interface Grant {
  /** UUID of the token. */
  readonly id: string;
  readonly kind: TokenKind;
  /** Null of the portal's own. */
  readonly project: Scope | null;
  /** UUID of the person whose it is; null without accounts. */
  readonly userId: string | null;
  readonly scopes: readonly TokenScope[];
  /** UUIDs of the endpoints that it is good for; null: every one of its project. */
  readonly endpointIds: readonly string[] | null;
  /** How long it lives by the database's clock, counted from when it was read. */
  readonly livesMs: number;
  /** Inferences within a second; null: no limit of its own. */
  readonly requestsPerSecond: number | null;
}

/**
 * What a token is good for now; null for one that was never made, was revoked, or is expired: nobody is told which.
 *
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
export async function findGrant(text: string): Promise<Grant | null> {
  const digest = digestOfToken(text);
  if (!digest) return null;
  const [row] = await database().$queryRaw<Grant[]>`
    SELECT id, kind, project_id AS project, user_id AS "userId", scopes,
      CASE WHEN is_limited THEN endpoint_ids END AS "endpointIds", requests_per_second AS "requestsPerSecond",
      (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "livesMs"
    FROM token WHERE digest = ${digest} AND revoked_at IS NULL AND expires_at > now()`;
  return row ?? null;
}

/** For so long a revoked token is named to those who look again and again. */
const namedS = 120;

/** UUIDs of the tokens that were revoked in the last two minutes. */
export async function listRevoked(): Promise<string[]> {
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM token
    WHERE revoked_at IS NOT NULL AND revoked_at > now() - make_interval(secs => ${namedS})`;
  return rows.map(({ id }) => id);
}

/** UUIDs of these tokens that are good no more. */
export async function listEnded(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT wanted.id::text AS id FROM unnest(${[...ids]}::uuid[]) AS wanted(id)
    WHERE NOT EXISTS (
      SELECT FROM token t WHERE t.id = wanted.id AND t.revoked_at IS NULL AND t.expires_at > now())`;
  return rows.map(({ id }) => id);
}

/** When a token was used, and from where; more often than once a minute is not written down. */
export interface TokenUse {
  readonly id: string;
  readonly from: string | null;
}

/** Writes down that tokens were used just now. */
export async function noteUses(uses: readonly TokenUse[]): Promise<void> {
  if (uses.length === 0) return;
  await database().$executeRaw`
    UPDATE token SET used_at = now(), used_from = coalesce(use."from", token.used_from)
    FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) AS use(id uuid, "from" text)
    WHERE token.id = use.id AND (token.used_at IS NULL OR token.used_at < now() - interval '1 minute')`;
}

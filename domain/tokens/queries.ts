import { idPrefixes, type Scope, type Token, type TokenScope } from "@/lib/common/contract";
import { database, emptySql, sql, toId } from "@/lib/server/db";

/** Tokens of a project that were not revoked, newest first: expired ones for as long as they are kept. */
export const listTokens = (scope: Scope): Promise<Token[]> => readTokens(scope, null);

/** @param id UUID of one; null: all. */
export async function readTokens(scope: Scope, id: string | null): Promise<Token[]> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT t.id, t.name, t.ending, t.scopes, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
      t.expires_at <= now() AS "isExpired", t.used_at AS "usedAt", t.used_from AS "usedFrom", t.requests_per_second AS "requestsPerSecond",
      CASE WHEN t.is_limited THEN ARRAY(
        SELECT e.name FROM endpoint e WHERE e.id = ANY(t.endpoint_ids) AND e.deleted_at IS NULL ORDER BY e.name) END AS endpoints
    FROM token t
    WHERE t.project_id = ${scope}::uuid AND t.kind = 'api' AND t.revoked_at IS NULL
      ${id === null ? emptySql : sql`AND t.id = ${id}::uuid`}
    ORDER BY t.id DESC`;
  return rows.map(({ usedAt, usedFrom, createdAt, expiresAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.token, row.id),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: usedAt?.toISOString() ?? null,
    lastUsedFrom: usedFrom,
  }));
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly ending: string;
  readonly scopes: TokenScope[];
  readonly endpoints: string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly usedAt: Date | null;
  readonly usedFrom: string | null;
  readonly requestsPerSecond: number | null;
}

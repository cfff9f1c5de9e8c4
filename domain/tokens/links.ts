import {
  type EndpointLink,
  idPrefixes,
  type NewEndpointLink,
  type Scope,
} from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, emptySql, parseId, sql, toId, withTransaction } from "@/lib/server/db";
import { idsOf, insertToken, type KeptText } from "./commands";

// A link lets whoever has it ask one endpoint, with an account or without. It is a token that is good for that endpoint alone.

/**
 * Makes a link to an endpoint.
 *
 * @param userId Who makes it, with whom it goes; null without accounts.
 * @throws {AppError} `ENDPOINT_UNKNOWN`; `QUOTA_EXCEEDED`; `VALIDATION` for a time that is past or too far ahead
 */
export async function makeLink(
  scope: Scope,
  endpoint: string,
  { name, expiresAt, requestsPerSecond }: NewEndpointLink,
  { text, userId }: { readonly text: KeptText; readonly userId: string | null },
): Promise<EndpointLink> {
  const id = await withTransaction(async (tx) => {
    const endpointIds = await idsOf(tx, scope, [endpoint]);
    const kept = { kind: "link", name, scopes: ["infer"], endpointIds, userId } as const;
    return await insertToken(tx, scope, { ...kept, ...text, expiresAt, requestsPerSecond });
  });
  const [link] = await readLinks(scope, endpoint, id);
  if (!link) throw notFound("link", id);
  return link;
}

/** Links to an endpoint that were not revoked, newest first. @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function listLinks(scope: Scope, endpoint: string): Promise<EndpointLink[]> {
  await idsOf(database(), scope, [endpoint]);
  return await readLinks(scope, endpoint, null);
}

/** Has a link be good for nothing from now on. @throws {AppError} `ENDPOINT_UNKNOWN`, `NOT_FOUND` */
export async function revokeLink(scope: Scope, endpoint: string, id: string): Promise<void> {
  await idsOf(database(), scope, [endpoint]);
  const uuid = parseId(idPrefixes.link, id);
  const revoked =
    uuid !== null &&
    (await database().$executeRaw`
      UPDATE token SET revoked_at = now()
      WHERE id = ${uuid}::uuid AND ${isLinkTo(scope, endpoint)}`);
  if (!revoked) throw notFound("link", id);
}

async function readLinks(
  scope: Scope,
  endpoint: string,
  id: string | null,
): Promise<EndpointLink[]> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT id, name, created_at AS "createdAt", expires_at AS "expiresAt", expires_at <= now() AS "isExpired", used_at AS "usedAt",
      requests_per_second AS "requestsPerSecond"
    FROM token WHERE ${isLinkTo(scope, endpoint)} ${id === null ? emptySql : sql`AND id = ${id}::uuid`}
    ORDER BY id DESC`;
  return rows.map(({ id, name, createdAt, expiresAt, isExpired, usedAt, requestsPerSecond }) => ({
    id: toId(idPrefixes.link, id),
    name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isExpired,
    requestsPerSecond,
    lastUsedAt: usedAt?.toISOString() ?? null,
  }));
}

const isLinkTo = (scope: Scope, endpoint: string) => sql`
  project_id = ${scope}::uuid AND kind = 'link' AND revoked_at IS NULL AND endpoint_ids = ARRAY(
    SELECT e.id FROM endpoint e WHERE e.project_id = ${scope}::uuid AND e.name = ${endpoint} AND e.deleted_at IS NULL)`;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly usedAt: Date | null;
  readonly requestsPerSecond: number | null;
}

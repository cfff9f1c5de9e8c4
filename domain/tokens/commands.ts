import {
  idPrefixes,
  mostTokens,
  type NewToken,
  type Scope,
  type Token,
  type TokenScope,
  tokenDays,
} from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, uuidv7, withTransaction } from "@/lib/server/db";
import { readTokens } from "./queries";

/** What is kept of the text of a token. */
export interface KeptText {
  readonly digest: Buffer;
  readonly ending: string;
}

/**
 * Makes a token of a project.
 *
 * @param userId Whose it is, with whom it goes; null without accounts.
 * @throws {AppError} `QUOTA_EXCEEDED`; `VALIDATION` for a time that is past or too far ahead; `ENDPOINT_UNKNOWN`
 */
export async function makeToken(
  scope: Scope,
  { name, scopes, endpoints, expiresAt, requestsPerSecond }: NewToken,
  { digest, ending }: KeptText,
  userId: string | null,
): Promise<Token> {
  const id = await withTransaction(async (tx) => {
    const endpointIds = endpoints ? await idsOf(tx, scope, endpoints) : null;
    const kept = {
      kind: "api",
      name,
      digest,
      ending,
      scopes,
      endpointIds,
      expiresAt,
      requestsPerSecond: requestsPerSecond ?? null,
      userId,
    } as const;
    return await insertToken(tx, scope, kept);
  });
  const [token] = await readTokens(scope, id);
  if (!token) throw notFound("token", id);
  return token;
}

interface KeptToken extends KeptText {
  readonly kind: "api" | "link";
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** UUIDs; null: every endpoint of the project. */
  readonly endpointIds: readonly string[] | null;
  readonly expiresAt: string | undefined;
  /** Null: no limit of its own. */
  readonly requestsPerSecond: number | null;
  readonly userId: string | null;
}

/**
 * Writes a new token or link down; answers its UUID.
 *
 * @throws {AppError} `QUOTA_EXCEEDED`; `VALIDATION` for a time that is past or too far ahead
 */
export async function insertToken(
  tx: Tx,
  scope: Scope,
  {
    kind,
    name,
    digest,
    ending,
    scopes,
    endpointIds,
    expiresAt,
    requestsPerSecond,
    userId,
  }: KeptToken,
): Promise<string> {
  const id = uuidv7();
  await requireRoom(tx, scope);
  await requireLife(tx, expiresAt);
  await tx.$executeRaw`
    INSERT INTO token (id, project_id, user_id, kind, name, digest, ending, scopes, is_limited, endpoint_ids, requests_per_second, expires_at)
    VALUES (${id}::uuid, ${scope}::uuid, ${userId}::uuid, ${kind}, ${name}, ${digest}, ${ending}, ${[...new Set(scopes)]}::text[], ${endpointIds !== null}, ${[...(endpointIds ?? [])]}::uuid[], ${requestsPerSecond}::int,
      coalesce(${expiresAt ?? null}::timestamptz, now() + make_interval(days => ${tokenDays.usual})))`;
  return id;
}

/** Has a token be good for nothing from now on. @throws {AppError} `NOT_FOUND` */
export async function revokeToken(scope: Scope, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.token, id);
  const revoked =
    uuid !== null &&
    (await database().$executeRaw`
      UPDATE token SET revoked_at = now()
      WHERE id = ${uuid}::uuid AND project_id = ${scope}::uuid AND kind = 'api' AND revoked_at IS NULL`);
  if (!revoked) throw notFound("token", id);
}

/** Two that ask at once are counted one after the other. */
async function requireRoom(tx: Tx, scope: Scope): Promise<void> {
  await tx.$executeRaw`SELECT FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
  const [{ count } = { count: 0 }] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM token
    WHERE project_id = ${scope}::uuid AND revoked_at IS NULL AND expires_at > now()`;
  if (count < mostTokens) return;
  throw fail("QUOTA_EXCEEDED", `There are ${mostTokens} tokens and links already.`, {
    hint: "Revoke one that nobody uses any more.",
  });
}

/** By the database's clock. */
async function requireLife(tx: Tx, expiresAt: string | undefined): Promise<void> {
  if (expiresAt === undefined) return;
  const [life] = await tx.$queryRaw<{ isPast: boolean; isLong: boolean }[]>`
    SELECT ${expiresAt}::timestamptz <= now() AS "isPast",
      ${expiresAt}::timestamptz > now() + make_interval(days => ${tokenDays.most}, hours => 1) AS "isLong"`;
  if (life && !life.isPast && !life.isLong) return;
  const fault = life?.isPast
    ? "The token would be expired already."
    : `A token lives for ${tokenDays.most} days at most.`;
  throw fail("VALIDATION", fault, {
    field: "expiresAt",
    hint: `Give a time within the next ${tokenDays.most} days, or none: then it lives for ${tokenDays.usual}.`,
  });
}

/** UUIDs of endpoints of a project. @throws {AppError} `ENDPOINT_UNKNOWN` */
export async function idsOf(
  db: Pick<Tx, "$queryRaw">,
  scope: Scope,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM endpoint
    WHERE project_id = ${scope}::uuid AND name = ANY(${[...names]}::text[]) AND delete_requested_at IS NULL AND deleted_at IS NULL`;
  const absent = names.find((name) => !rows.some((row) => row.name === name));
  if (absent !== undefined) throw notFound("endpoint", absent);
  return rows.map(({ id }) => id);
}

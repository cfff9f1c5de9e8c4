import { idPrefixes, type SignInWay } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, toId, uuidv7, withTransaction } from "@/lib/server/db";
import type { Identity } from "./service";

interface Row {
  readonly id: string;
  readonly kind: SignInWay["kind"];
  readonly name: string;
  readonly isGood: boolean;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/**
 * How somebody can sign in, the oldest first.
 *
 * @param issuer Of the service that signs people in; null: none does.
 */
export async function listWays(userId: string, issuer: string | null): Promise<SignInWay[]> {
  const rows = await readWays(database(), userId, issuer);
  const good = rows.filter(({ isGood }) => isGood);
  return rows.map(({ id, createdAt, usedAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.signIn, id),
    isLast: row.isGood && good.length === 1,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }));
}

/**
 * Takes a way to sign in away. They stay signed in here, and nowhere else.
 *
 * @throws {AppError} `NOT_FOUND`; `STATE_CONFLICT` for the last that works
 */
export async function removeWay(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  id: string,
  issuer: string | null,
): Promise<void> {
  const uuid = parseId(idPrefixes.signIn, id);
  await withTransaction(async (tx) => {
    // Two that are taken away at once go one after the other.
    await tx.$executeRaw`SELECT FROM "user" WHERE id = ${userId}::uuid FOR UPDATE`;
    const ways = await readWays(tx, userId, issuer);
    const way = ways.find((each) => each.id === uuid);
    if (!way) throw notFound("sign-in", id);
    if (!ways.some((each) => each.isGood && each !== way))
      throw fail("STATE_CONFLICT", "That is your last way to sign in.", {
        hint: "Add another one first.",
      });
    await tx.$executeRaw`DELETE FROM account WHERE id = ${uuid}::uuid`;
    await tx.$executeRaw`DELETE FROM passkey WHERE id = ${uuid}::uuid`;
    await tx.$executeRaw`DELETE FROM session WHERE user_id = ${userId}::uuid AND id <> ${sessionId}::uuid`;
  });
}

/**
 * Lets somebody sign in by what another service calls them.
 *
 * @throws {AppError} `STATE_CONFLICT`: somebody else does already
 */
export async function linkIdentity(sessionId: string, identity: Identity): Promise<void> {
  const { issuer, subject, name, email } = identity;
  const [owner] = await database().$queryRaw<{ isTheirs: boolean }[]>`
    WITH asking AS (SELECT user_id FROM session WHERE id = ${sessionId}::uuid),
      made AS (
        INSERT INTO account (id, user_id, provider_id, account_id, label)
        SELECT ${uuidv7()}::uuid, user_id, ${issuer}, ${subject}, ${email ?? name ?? ""} FROM asking
        ON CONFLICT (provider_id, account_id) DO NOTHING RETURNING user_id)
    SELECT user_id = (SELECT user_id FROM asking) AS "isTheirs" FROM (
      SELECT user_id FROM made UNION ALL
      SELECT user_id FROM account WHERE provider_id = ${issuer} AND account_id = ${subject}) known LIMIT 1`;
  if (owner?.isTheirs) return;
  throw fail("STATE_CONFLICT", "Another account here is signed in to by that identity.", {
    hint: "Sign in by it and take it away there first.",
  });
}

async function readWays(
  tx: Pick<Tx, "$queryRaw">,
  userId: string,
  issuer: string | null,
): Promise<Row[]> {
  return await tx.$queryRaw<Row[]>`
    SELECT id, CASE provider_id WHEN 'credential' THEN 'password' ELSE 'service' END AS kind,
      label AS name, CASE provider_id WHEN 'credential' THEN password IS NOT NULL
        ELSE provider_id = ${issuer ?? ""} END AS "isGood",
      created_at AS "createdAt", used_at AS "usedAt"
    FROM account WHERE user_id = ${userId}::uuid
    UNION ALL
    SELECT id, 'passkey', name, true, created_at, used_at FROM passkey WHERE user_id = ${userId}::uuid
    ORDER BY "createdAt", id`;
}

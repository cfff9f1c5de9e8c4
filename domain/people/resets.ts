import { idPrefixes, resetHours, type Scope } from "@/lib/common/contract";
import { type AppError, fail, notFound } from "@/lib/common/errors";
import { database, parseId, uuidv7, withTransaction } from "@/lib/server/db";

/** Whose password is set. */
export interface ResetOf {
  readonly name: string;
  readonly email: string | null;
}

/**
 * Lets a member of a project set another password; an older link is good no more.
 *
 * @param digest Of the code, which nobody but its bearer has.
 * @throws {AppError} `NOT_FOUND`
 */
export async function allowReset(scope: Scope, id: string, digest: Buffer): Promise<void> {
  const userId = parseId(idPrefixes.user, id);
  const allowed =
    userId !== null &&
    (await database().$executeRaw`
      INSERT INTO password_reset (user_id, digest, expires_at)
      SELECT user_id, ${digest}, now() + make_interval(hours => ${resetHours}) FROM membership
      WHERE project_id = ${scope}::uuid AND user_id = ${userId}::uuid
      ON CONFLICT (user_id) DO UPDATE SET digest = EXCLUDED.digest, expires_at = EXCLUDED.expires_at`);
  if (!allowed) throw notFound("member", id);
}

/**
 * The same for whoever is on the machine itself, of anybody who has an account.
 *
 * @param digest Of the code.
 * @returns Whether somebody has one with this address.
 */
export async function allowOwnReset(email: string, digest: Buffer): Promise<boolean> {
  const allowed = await database().$executeRaw`
    INSERT INTO password_reset (user_id, digest, expires_at)
    SELECT id, ${digest}, now() + make_interval(hours => ${resetHours}) FROM "user" u
    WHERE email = ${email.trim().toLowerCase()} AND EXISTS (SELECT FROM account WHERE user_id = u.id)
    ON CONFLICT (user_id) DO UPDATE SET digest = EXCLUDED.digest, expires_at = EXCLUDED.expires_at`;
  return allowed > 0;
}

/** Whose password a link sets. @throws {AppError} `INVITATION_UNKNOWN`: never made, used, or past. */
export async function readReset(digest: Buffer): Promise<ResetOf> {
  const [row] = await database().$queryRaw<ResetOf[]>`
    SELECT u.name, u.email FROM password_reset r JOIN "user" u ON u.id = r.user_id
    WHERE r.digest = ${digest} AND r.expires_at > now()`;
  if (!row) throw unknownReset();
  return row;
}

/** Sets the password, once, and signs them out everywhere. @throws {AppError} `INVITATION_UNKNOWN` */
export async function resetPassword(digest: Buffer, hash: string): Promise<void> {
  await withTransaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ userId: string }[]>`
      DELETE FROM password_reset WHERE digest = ${digest} AND expires_at > now()
      RETURNING user_id AS "userId"`;
    if (!row) throw unknownReset();
    // Somebody who came by another service has none yet.
    await tx.$executeRaw`
      INSERT INTO account (id, user_id, provider_id, account_id, password)
      VALUES (${uuidv7()}::uuid, ${row.userId}::uuid, 'credential', ${row.userId}, ${hash})
      ON CONFLICT (provider_id, account_id) DO UPDATE SET password = EXCLUDED.password, updated_at = now()`;
    await tx.$executeRaw`DELETE FROM session WHERE user_id = ${row.userId}::uuid`;
  });
}

/** One answer for all of them: nobody learns which codes there were. */
const unknownReset = (): AppError =>
  fail("INVITATION_UNKNOWN", "This link is not good: unknown, used or past.", {
    hint: "Ask whoever sent it for a new one.",
  });

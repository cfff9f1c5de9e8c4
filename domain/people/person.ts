import { idPrefixes, type PersonSession } from "@/lib/common/contract";
import { notFound } from "@/lib/common/errors";
import { database, parseId, toId } from "@/lib/server/db";

/** Somebody as they see themselves. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isAdmin: boolean;
}

/** @throws {AppError} `NOT_FOUND` */
export async function readPerson(userId: string): Promise<Person> {
  const person = await database().user.findUnique({ where: { id: userId } });
  if (!person) throw notFound("user", userId);
  const { id, name, email, isAdmin } = person;
  return { id: toId(idPrefixes.user, id), name, email, isAdmin };
}

/** The hash of somebody's password; null: they have none. */
export async function readPassword(userId: string): Promise<string | null> {
  const account = await database().account.findFirst({
    where: { userId, providerId: "credential" },
  });
  return account?.password ?? null;
}

/** Sets a new password. They stay signed in here, and nowhere else. */
export async function changePassword(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
  hash: string,
): Promise<void> {
  await database().$transaction([
    database().$executeRaw`
      UPDATE account SET password = ${hash}, updated_at = now()
      WHERE user_id = ${userId}::uuid AND provider_id = 'credential'`,
    database().$executeRaw`
      DELETE FROM session WHERE user_id = ${userId}::uuid AND id IS DISTINCT FROM ${sessionId}::uuid`,
  ]);
}

/** Where somebody is signed in, the latest first. */
export async function listSessions(
  userId: string,
  sessionId: string | null,
): Promise<PersonSession[]> {
  const rows = await database().$queryRaw<
    (Pick<PersonSession, "id" | "browser" | "from"> & { createdAt: Date; seenAt: Date })[]
  >`
    SELECT id, coalesce(user_agent, '') AS browser, ip_address AS "from", created_at AS "createdAt",
      updated_at AS "seenAt"
    FROM session WHERE user_id = ${userId}::uuid AND expires_at > now()
    ORDER BY updated_at DESC, id DESC LIMIT 100`;
  return rows.map(({ id, createdAt, seenAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.session, id),
    isThis: id === sessionId,
    createdAt: createdAt.toISOString(),
    seenAt: seenAt.toISOString(),
  }));
}

/** Signs somebody out of one place. @throws {AppError} `NOT_FOUND` */
export async function endSession(userId: string, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.session, id);
  const ended =
    uuid !== null &&
    (await database().$executeRaw`
      DELETE FROM session WHERE id = ${uuid}::uuid AND user_id = ${userId}::uuid`);
  if (!ended) throw notFound("session", id);
}

/** Signs somebody out everywhere. */
export async function endSessions(userId: string): Promise<void> {
  await database().$executeRaw`DELETE FROM session WHERE user_id = ${userId}::uuid`;
}

import { idPrefixes, type Member, type Role, type Scope } from "@/lib/common/contract";
import { fail, notFound } from "@/lib/common/errors";
import { database, parseId, type Tx, toId, withTransaction } from "@/lib/server/db";

/** Everybody of a project, by name. @param userId Of whoever asks. */
export async function listMembers(scope: Scope, userId: string | null): Promise<Member[]> {
  const rows = await database().$queryRaw<
    (Omit<Member, "isYou" | "seenAt"> & { seenAt: Date | null })[]
  >`
    SELECT u.id, u.name, u.email, m.role, u.is_admin AS "isAdmin",
      (SELECT max(s.updated_at) FROM session s WHERE s.user_id = u.id) AS "seenAt"
    FROM membership m JOIN "user" u ON u.id = m.user_id
    WHERE m.project_id = ${scope}::uuid
    ORDER BY lower(u.name), u.id`;
  return rows.map(({ id, seenAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.user, id),
    isYou: id === userId,
    seenAt: seenAt?.toISOString() ?? null,
  }));
}

/**
 * Gives a member another role. They sign in again, and what they opened ends.
 *
 * @throws {AppError} `NOT_FOUND`; `STATE_CONFLICT` for the last admin
 */
export async function changeRole(scope: Scope, id: string, role: Role): Promise<void> {
  await withTransaction(async (tx) => {
    const userId = await lockMember(tx, scope, id);
    await tx.$executeRaw`
      UPDATE membership SET role = ${role}
      WHERE project_id = ${scope}::uuid AND user_id = ${userId}::uuid`;
    await requireAdmin(tx, scope);
    await tx.$executeRaw`DELETE FROM session WHERE user_id = ${userId}::uuid`;
  });
}

/**
 * Takes somebody out of a project: their tokens of it are good no more, and they sign in again.
 *
 * @throws {AppError} `NOT_FOUND`; `STATE_CONFLICT` for the last admin
 */
export async function removeMember(scope: Scope, id: string): Promise<void> {
  await withTransaction(async (tx) => {
    const userId = await lockMember(tx, scope, id);
    await tx.$executeRaw`
      DELETE FROM membership WHERE project_id = ${scope}::uuid AND user_id = ${userId}::uuid`;
    await requireAdmin(tx, scope);
    await tx.$executeRaw`
      UPDATE token SET revoked_at = now()
      WHERE project_id = ${scope}::uuid AND user_id = ${userId}::uuid AND revoked_at IS NULL`;
    await tx.$executeRaw`DELETE FROM session WHERE user_id = ${userId}::uuid`;
  });
}

/** Two that change members of a project at once go one after the other. */
async function lockMember(tx: Tx, scope: Scope, id: string): Promise<string> {
  const userId = parseId(idPrefixes.user, id);
  await tx.$executeRaw`SELECT FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
  const [found] = await tx.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM membership
    WHERE project_id = ${scope}::uuid AND user_id = ${userId}::uuid`;
  if (!found) throw notFound("member", id);
  return found.userId;
}

/** A project that nobody can invite to is nobody's. */
async function requireAdmin(tx: Tx, scope: Scope): Promise<void> {
  const admins = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM membership WHERE project_id = ${scope}::uuid AND role = 'admin' LIMIT 1`;
  if (admins.length > 0) return;
  throw fail("STATE_CONFLICT", "That is the last admin of this project.", {
    hint: "Make somebody else an admin first.",
  });
}

import {
  type Invitation,
  idPrefixes,
  invitationDays,
  mostInvitations,
  type NewInvitation,
  type Offered,
  type Role,
  type Scope,
} from "@/lib/common/contract";
import { type AppError, fail, notFound } from "@/lib/common/errors";
import {
  database,
  emptySql,
  parseId,
  sql,
  type Tx,
  toId,
  uuidv7,
  withTransaction,
} from "@/lib/server/db";

interface Row {
  readonly id: string;
  readonly role: Role;
  readonly note: string;
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
}

/** Invitations of a project that nobody has taken, newest first. */
export async function listInvitations(scope: Scope): Promise<Invitation[]> {
  return await readInvitations(scope, null);
}

/**
 * Invites somebody to a project.
 *
 * @param digest Of the code, which nobody but its bearer has.
 * @throws {AppError} `QUOTA_EXCEEDED`
 */
export async function invite(
  scope: Scope,
  { role, note }: NewInvitation,
  { digest, invitedBy }: { readonly digest: Buffer; readonly invitedBy: string | null },
): Promise<Invitation> {
  const id = uuidv7();
  await withTransaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM project WHERE id = ${scope}::uuid FOR UPDATE`;
    const [{ count } = { count: 0 }] = await tx.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM invitation
      WHERE project_id = ${scope}::uuid AND accepted_at IS NULL AND expires_at > now()`;
    if (count >= mostInvitations)
      throw fail("QUOTA_EXCEEDED", `There are ${mostInvitations} open invitations already.`, {
        hint: "Take one back that nobody uses.",
      });
    await tx.$executeRaw`
      INSERT INTO invitation (id, project_id, digest, role, note, invited_by, expires_at)
      VALUES (${id}::uuid, ${scope}::uuid, ${digest}, ${role}, ${note}, ${invitedBy}::uuid,
        now() + make_interval(days => ${invitationDays}))`;
  });
  const [invitation] = await readInvitations(scope, id);
  if (!invitation) throw notFound("invitation", id);
  return invitation;
}

/** Takes an invitation back. @throws {AppError} `NOT_FOUND` */
export async function withdrawInvitation(scope: Scope, id: string): Promise<void> {
  const uuid = parseId(idPrefixes.invitation, id);
  const gone =
    uuid !== null &&
    (await database().$executeRaw`
      DELETE FROM invitation
      WHERE id = ${uuid}::uuid AND project_id = ${scope}::uuid AND accepted_at IS NULL`);
  if (!gone) throw notFound("invitation", id);
}

/** What an invitation is to. @throws {AppError} `INVITATION_UNKNOWN`: never made, taken, taken back or past. */
export async function readOffer(digest: Buffer): Promise<Offered> {
  const [row] = await database().$queryRaw<Offered[]>`
    SELECT p.name AS project, i.role, i.makes_admin AS "isFirstOwner"
    FROM invitation i JOIN project p ON p.id = i.project_id
    WHERE i.digest = ${digest} AND i.accepted_at IS NULL AND i.expires_at > now()`;
  if (!row) throw unknownInvitation();
  return row;
}

/** What was taken up. */
export interface Taken {
  readonly projectId: Scope;
  readonly role: Role;
  readonly makesAdmin: boolean;
}

/** Takes up an invitation, which no second one can then. @throws {AppError} `INVITATION_UNKNOWN` */
export async function takeInvitation(tx: Tx, digest: Buffer): Promise<Taken> {
  const [taken] = await tx.$queryRaw<Taken[]>`
    UPDATE invitation SET accepted_at = now()
    WHERE digest = ${digest} AND accepted_at IS NULL AND expires_at > now()
    RETURNING project_id AS "projectId", role, makes_admin AS "makesAdmin"`;
  if (!taken) throw unknownInvitation();
  return taken;
}

/** One answer for all of them: nobody learns which codes there were. */
const unknownInvitation = (): AppError =>
  fail("INVITATION_UNKNOWN", "This invitation is not good: unknown, taken, taken back or past.", {
    hint: "Ask whoever invited you for a new one.",
  });

async function readInvitations(scope: Scope, id: string | null): Promise<Invitation[]> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT i.id, i.role, i.note, u.name AS "invitedBy", i.created_at AS "createdAt",
      i.expires_at AS "expiresAt", i.expires_at <= now() AS "isExpired"
    FROM invitation i LEFT JOIN "user" u ON u.id = i.invited_by
    WHERE i.project_id = ${scope}::uuid AND i.accepted_at IS NULL
      ${id === null ? emptySql : sql`AND i.id = ${id}::uuid`}
    ORDER BY i.id DESC`;
  return rows.map(({ createdAt, expiresAt, ...row }) => ({
    ...row,
    id: toId(idPrefixes.invitation, row.id),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

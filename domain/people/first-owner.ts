import { database, uuidv7 } from "@/lib/server/db";

/** The link of the first owner is good for so long; the next start prints another. */
const hours = 24;

/**
 * Invites the first owner, unless there are people already; an older link is good no more.
 *
 * @param digest Of the code.
 * @returns Whether somebody is invited.
 */
export async function inviteFirstOwner(digest: Buffer): Promise<boolean> {
  const [, made] = await database().$transaction([
    database().$executeRaw`DELETE FROM invitation WHERE makes_admin AND accepted_at IS NULL`,
    database().$executeRaw`
      INSERT INTO invitation (id, project_id, digest, role, makes_admin, note, expires_at)
      SELECT ${uuidv7()}::uuid, p.id, ${digest}, 'admin', true, 'first owner', now() + make_interval(hours => ${hours})
      FROM project p
      WHERE p.name = 'default' AND NOT EXISTS (SELECT FROM account)`,
  ]);
  return made > 0;
}

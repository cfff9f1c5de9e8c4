import { type NewPerson, roles, type Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { type Tx, uuidv7, withTransaction } from "@/lib/server/db";
import { takeInvitation } from "./invitations";

/**
 * Makes an account by an invitation, and its owner a member of the project. The first owner takes over what was made before there
 * were accounts.
 *
 * @param password Salted and stretched.
 * @throws {AppError} `INVITATION_UNKNOWN`; `EMAIL_TAKEN`
 */
export async function joinAsNew(
  { name, email }: Pick<NewPerson, "name" | "email">,
  { digest, password }: { readonly digest: Buffer; readonly password: string },
): Promise<void> {
  await withTransaction(async (tx) => {
    const { projectId, role, makesAdmin } = await takeInvitation(tx, digest);
    const userId = makesAdmin ? await claimOwner(tx, { name, email }) : uuidv7();
    const isNew = await tx.$executeRaw`
      INSERT INTO "user" (id, name, email) VALUES (${userId}::uuid, ${name}, ${email})
      ON CONFLICT DO NOTHING`;
    if (!isNew && !makesAdmin)
      throw fail("EMAIL_TAKEN", "Somebody has an account with this e-mail address.", {
        field: "email",
        hint: "Is it you? Sign in, and open the invitation again.",
      });
    await tx.$executeRaw`
      INSERT INTO account (id, user_id, provider_id, account_id, password)
      VALUES (${uuidv7()}::uuid, ${userId}::uuid, 'credential', ${userId}, ${password})`;
    await addMember(tx, { userId, projectId, role });
  });
}

/** Makes somebody who has an account a member of another project, which their pages show then. @throws {AppError} `INVITATION_UNKNOWN` */
export async function joinAsKnown(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  digest: Buffer,
): Promise<void> {
  await withTransaction(async (tx) => {
    const { projectId, role, makesAdmin } = await takeInvitation(tx, digest);
    if (makesAdmin)
      await tx.$executeRaw`UPDATE "user" SET is_admin = true WHERE id = ${userId}::uuid`;
    await addMember(tx, { userId, projectId, role });
    await tx.$executeRaw`UPDATE session SET project_id = ${projectId}::uuid WHERE id = ${sessionId}::uuid`;
  });
}

/** The user that stood for the owner so far. */
async function claimOwner(
  tx: Tx,
  { name, email }: Pick<NewPerson, "name" | "email">,
): Promise<string> {
  const [owner] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE "user" SET name = ${name}, email = ${email}, updated_at = now()
    WHERE is_admin AND email IS NULL RETURNING id`;
  if (!owner)
    throw fail("STATE_CONFLICT", "This Boardwalk has an owner already.", {
      hint: "Ask them for an invitation.",
    });
  return owner.id;
}

/** Of the role that they have already and the new one, the one that may do more. */
async function addMember(
  tx: Tx,
  member: { readonly userId: string; readonly projectId: Scope; readonly role: string },
): Promise<void> {
  const { userId, projectId, role } = member;
  await tx.$executeRaw`
    INSERT INTO membership (project_id, user_id, role) VALUES (${projectId}::uuid, ${userId}::uuid, ${role})
    ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role
    WHERE array_position(${[...roles]}::text[], EXCLUDED.role) > array_position(${[...roles]}::text[], membership.role)`;
}

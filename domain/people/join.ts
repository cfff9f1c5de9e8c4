import { type NewPerson, roles, type Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { type Tx, uuidv7, withTransaction } from "@/lib/server/db";
import { type Taken, takeInvitation } from "./invitations";

/** What somebody proves by who they are. */
interface Proof {
  /** `credential`, a password, or the issuer of another service. */
  readonly providerId: string;
  /** Its name of them; undefined: ours. */
  readonly accountId?: string;
  /** Salted and stretched. */
  readonly password?: string;
  readonly label?: string;
}

/** Somebody who has no account yet. */
interface Newcomer {
  readonly name: string;
  /** Null: none that is known to be theirs. */
  readonly email: string | null;
  readonly proof: Proof;
}

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
  const proof = { providerId: "credential", password };
  await withTransaction((tx) => joinBy(tx, digest, { name, email, proof }));
}

/**
 * Makes somebody a member of the project that an invitation is to, or of `default` for an address of a domain that is let in; of
 * somebody new, the account too.
 *
 * @param by Digest of the invitation.
 * @throws {AppError} `INVITATION_UNKNOWN`; `EMAIL_TAKEN`; `STATE_CONFLICT` for a first owner without an address
 */
export async function joinBy(
  tx: Tx,
  by: Buffer | "domain",
  who: Newcomer | { readonly userId: string },
): Promise<{ readonly userId: string; readonly projectId: Scope }> {
  const taken = by === "domain" ? await asViewer(tx) : await takeInvitation(tx, by);
  const { projectId, role, makesAdmin } = taken;
  const userId = "userId" in who ? who.userId : await makePerson(tx, who, taken);
  if (makesAdmin)
    await tx.$executeRaw`UPDATE "user" SET is_admin = true WHERE id = ${userId}::uuid`;
  await addMember(tx, { userId, projectId, role });
  return { userId, projectId };
}

/** Makes somebody who has an account a member of another project, which their pages show then. @throws {AppError} `INVITATION_UNKNOWN` */
export async function joinAsKnown(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  digest: Buffer,
): Promise<void> {
  await withTransaction(async (tx) => {
    const { projectId } = await joinBy(tx, digest, { userId });
    await tx.$executeRaw`UPDATE session SET project_id = ${projectId}::uuid WHERE id = ${sessionId}::uuid`;
  });
}

async function asViewer(tx: Tx): Promise<Taken> {
  const [project] = await tx.$queryRaw<Pick<Taken, "projectId">[]>`
    SELECT id AS "projectId" FROM project WHERE name = 'default'`;
  if (!project) throw fail("STATE_CONFLICT", "There is no project “default”.");
  return { ...project, role: "viewer", makesAdmin: false };
}

async function makePerson(
  tx: Tx,
  { name, email, proof }: Newcomer,
  { makesAdmin }: Taken,
): Promise<string> {
  const userId = makesAdmin ? await claimOwner(tx, { name, email }) : uuidv7();
  const isNew = await tx.$executeRaw`
    INSERT INTO "user" (id, name, email) VALUES (${userId}::uuid, ${name}, ${email})
    ON CONFLICT DO NOTHING`;
  if (!isNew && !makesAdmin)
    throw fail("EMAIL_TAKEN", "Somebody has an account with this e-mail address.", {
      field: "email",
      hint: "Is it you? Sign in, and open the invitation again.",
    });
  const { providerId, accountId = userId, password = null, label = "" } = proof;
  await tx.$executeRaw`
    INSERT INTO account (id, user_id, provider_id, account_id, password, label)
    VALUES (${uuidv7()}::uuid, ${userId}::uuid, ${providerId}, ${accountId}, ${password}, ${label})`;
  return userId;
}

/** The user that stood for the owner so far. */
async function claimOwner(
  tx: Tx,
  { name, email }: Pick<Newcomer, "name" | "email">,
): Promise<string> {
  // Whoever has none would be taken for the owner that is to come.
  if (email === null)
    throw fail("STATE_CONFLICT", "The first owner needs an e-mail address that is confirmed.", {
      hint: "Make the account by a password here, and add the other way afterwards.",
    });
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

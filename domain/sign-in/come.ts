import { joinBy } from "@/domain/people";
import { fail } from "@/lib/common/errors";
import { type Tx, withTransaction } from "@/lib/server/db";
import type { Identity } from "./service";

/** Who comes in, and the project that their pages are to show first; null: any. */
export interface Arrival {
  readonly userId: string;
  readonly projectId: string | null;
}

/**
 * The account of somebody whom another service knows. It is found by issuer and subject alone; an e-mail address never opens an
 * account that is there. Whoever has none needs an invitation, or a confirmed address of a domain that is let in.
 *
 * @param invitation Digest of one that they come by.
 * @param domains Whose confirmed addresses come in without, as viewers of the project `default`.
 * @throws {AppError} `INVITATION_WANTED`; `INVITATION_UNKNOWN`; `EMAIL_TAKEN`
 */
export async function comeByService(
  identity: Identity,
  {
    invitation,
    domains,
  }: { readonly invitation: Buffer | null; readonly domains: readonly string[] },
): Promise<Arrival> {
  const { issuer, subject, name, email } = identity;
  return await withTransaction(async (tx) => {
    // Two first sign-ins of one person go one after the other.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`;
    const [known] = await tx.$queryRaw<{ userId: string }[]>`
      UPDATE account SET used_at = now(), label = ${email ?? name ?? ""}
      WHERE provider_id = ${issuer} AND account_id = ${subject} RETURNING user_id AS "userId"`;
    if (known && invitation === null) return { ...known, projectId: null };
    const by = invitation ?? (await mayCome(tx, email, domains));
    if (by === null)
      throw fail("INVITATION_WANTED", "You have no account here yet.", {
        hint: "Open the invitation that you were sent, and join from there. Somebody who has an account signs in as before and adds this way on the page of the account.",
      });
    return await joinBy(
      tx,
      by,
      known ?? {
        name: name ?? email ?? subject.slice(0, 80),
        email,
        proof: {
          providerId: issuer,
          accountId: subject,
          label: email ?? name ?? "",
        },
      },
    );
  });
}

/** Nobody comes so before the first owner. */
async function mayCome(
  tx: Tx,
  email: string | null,
  domains: readonly string[],
): Promise<"domain" | null> {
  if (email === null || !domains.includes(email.slice(email.lastIndexOf("@") + 1))) return null;
  const owners = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "user" u JOIN account a ON a.user_id = u.id WHERE u.is_admin LIMIT 1`;
  return owners.length > 0 ? "domain" : null;
}

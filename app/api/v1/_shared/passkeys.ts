import { type RelyingParty, relyingParty } from "@/domain/sign-in";
import { fail } from "@/lib/common/errors";
import { hasAccounts } from "@/lib/server/auth";
import { portalEnv } from "@/lib/server/env";

/** Whom passkeys are for here; null: nobody makes any. */
export const knownParty = (): RelyingParty | null =>
  hasAccounts() ? relyingParty(portalEnv().PORTAL_URL) : null;

/** The same where there must be one. @throws {AppError} `STATE_CONFLICT` */
export function requireParty(): RelyingParty {
  const party = knownParty();
  if (party) return party;
  throw fail("STATE_CONFLICT", "Browsers make no passkeys for this address.", {
    hint: "They do for https:// and a name: an administrator sets PORTAL_URL.",
  });
}

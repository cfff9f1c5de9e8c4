import type { Right } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { portalEnv } from "@/lib/server/env";
import { clientHeader, OriginGuard, ownHosts } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { type Caller, lacksRight, ownerRights } from "./caller";
import { findGrant, noteUses } from "./grants";
import { ensureLocalOwner } from "./local-owner";
import { roughPlace } from "./rough-place";
import { shownToken } from "./token-text";

/**
 * Proves who asks, and that they may. Whoever shows a token is what the token says; without one it is the owner, who alone comes past
 * the portal's front, as long as no other site's page asks for a change: any page can post to localhost.
 *
 * @throws {AppError} `HOST_UNKNOWN`, `CSRF`, `UNAUTHENTICATED`, `FORBIDDEN`, `STORE_UNAVAILABLE`
 */
export async function authenticate(request: Request, right: Right): Promise<Caller> {
  const { method, headers } = request;
  const refusal = originGuard().refusalOf({
    method,
    host: headers.get("host"),
    origin: headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
  });
  if (refusal) throw refusal;
  const token = shownToken(headers.get("authorization"));
  const caller =
    token !== undefined ? await bearerCaller(token, headers.get(clientHeader)) : await ownCaller();
  if (!caller.rights.has(right)) throw lacksRight(caller, right);
  return caller;
}

async function ownCaller(): Promise<Caller> {
  const project = await ensureLocalOwner();
  return { project, rights: ownerRights, tokenId: null, endpointIds: null };
}

async function bearerCaller(token: string, address: string | null): Promise<Caller> {
  const grant = await findGrant(token);
  if (!grant || grant.project === null) throw unknownToken();
  void noteUses([{ id: grant.id, from: roughPlace(address) }]).catch((err: unknown) =>
    logger().debug({ err }, "the use of a token is not written down"),
  );
  const { id: tokenId, project, scopes, endpointIds } = grant;
  return { project, rights: new Set<Right>(scopes), tokenId, endpointIds };
}

/** One answer for a token that was never made, was revoked or is expired: nobody learns which. */
export const unknownToken = (): AppError =>
  fail("UNAUTHENTICATED", "The token is not good: unknown, revoked or expired.", {
    hint: "Make a new one in the portal under Settings, Tokens.",
  });

function originGuard(): OriginGuard {
  const env = portalEnv();
  const known = [...ownHosts(env.PORTAL_URL, env.PORTAL_PORT), ...env.PORTAL_ALLOWED_HOSTS];
  return new OriginGuard({ known, opensReads: true });
}

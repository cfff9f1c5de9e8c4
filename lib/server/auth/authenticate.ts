import { type Need, type Right, rightsOfRole } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { portalEnv } from "@/lib/server/env";
import { clientHeader, OriginGuard, OwnerGuard, ownHosts } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { type Caller, isAllowed, lacksRight, nobody, noProject, ownerRights } from "./caller";
import { findGrant, noteUses } from "./grants";
import { ensureLocalOwner } from "./local-owner";
import { LookUps } from "./look-ups";
import { roughPlace } from "./rough-place";
import { findSession, hasAccounts, shownSession } from "./sessions";
import { digestOfToken, shownToken } from "./token-text";

/**
 * Proves who asks. Whoever shows a token is what the token says. Where people have accounts, everybody else is who
 * their session says; where they have none it is the owner, who alone comes past the portal's front. No other site's page may ask
 * for a change: any page can post to localhost.
 *
 * @throws {AppError} `HOST_UNKNOWN`, `CSRF`, `UNAUTHENTICATED` for a token that is not good, `RATE_LIMITED` where many are shown that
 *   nobody knows, `STORE_UNAVAILABLE`
 */
export async function identify({ method, headers }: Request): Promise<Caller> {
  const provenance = {
    method,
    host: headers.get("host"),
    origin: headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
  };
  const guard = originGuard();
  const refusal = guard.refusalOf(provenance);
  if (refusal) throw refusal;
  const caller = await callerOf(headers);
  const sessionRefusal = caller.kind === "person" ? guard.refusalOfSession(provenance) : null;
  if (sessionRefusal) throw sessionRefusal;
  return caller;
}

/** Proves that somebody may do what a route needs. @throws {AppError} `UNAUTHENTICATED`, `FORBIDDEN` */
export function requireNeed(caller: Caller, need: Need): void {
  if (isAllowed(caller, need)) return;
  throw caller.kind === "nobody" ? signInWanted() : lacksRight(caller, need);
}

async function callerOf(headers: Headers): Promise<Caller> {
  const authorization = headers.get("authorization");
  const address = headers.get(clientHeader);
  const token = shownToken(authorization);
  if (token !== undefined) return await bearerCaller(token, address);
  if (!hasAccounts()) return await ownCaller();
  // The installation's own processes, which have no account.
  if (installation().hasToken(authorization ?? undefined)) return await ownCaller();
  const text = shownSession(headers.get("cookie"));
  return text === null ? nobody : await personCaller(text, address);
}

async function ownCaller(): Promise<Caller> {
  const project = await ensureLocalOwner();
  return { ...nobody, kind: "owner", project, rights: ownerRights };
}

async function personCaller(text: string, address: string | null): Promise<Caller> {
  const session = await findSession(text, address);
  if (!session) return nobody;
  const { id, userId, project, role, isAdmin } = session;
  const rights = new Set<Right>(role ? rightsOfRole[role] : []);
  if (isAdmin) rights.add("admin");
  return {
    ...nobody,
    kind: "person",
    project: project ?? noProject,
    rights,
    userId,
    personId: userId,
    credentialId: id,
  };
}

const lookUps = new LookUps();

async function bearerCaller(token: string, address: string | null): Promise<Caller> {
  const digest = digestOfToken(token);
  if (!digest) throw unknownToken();
  const key = digest.toString("base64");
  const grant = await lookUps.run(key, address, () => findGrant(token));
  // Links are good for the gateway alone.
  if (grant?.kind !== "api" || grant.project === null) throw unknownToken();
  void noteUses([{ id: grant.id, from: roughPlace(address) }]).catch((err: unknown) =>
    logger().debug({ err }, "the use of a token is not written down"),
  );
  const { id, project, userId, scopes, endpointIds } = grant;
  return {
    ...nobody,
    kind: "token",
    project,
    rights: new Set<Right>(scopes),
    personId: userId,
    credentialId: id,
    endpointIds,
  };
}

/** One answer for a token that was never made, was revoked or is expired: nobody learns which. */
export const unknownToken = (): AppError =>
  fail("UNAUTHENTICATED", "The token is not good: unknown, revoked or expired.", {
    hint: "Make a new one in the portal under Settings, Tokens.",
  });

const signInWanted = (): AppError =>
  fail("UNAUTHENTICATED", "You are not signed in.", {
    hint: "Sign in. Programs send `Authorization: Bearer bw_api_…`.",
  });

let guard: OwnerGuard | undefined;
const installation = (): OwnerGuard =>
  (guard ??= new OwnerGuard({ token: portalEnv().BOARDWALK_OWNER_TOKEN }));

function originGuard(): OriginGuard {
  const env = portalEnv();
  const known = [...ownHosts(env.PORTAL_URL, env.PORTAL_PORT), ...env.PORTAL_ALLOWED_HOSTS];
  return new OriginGuard({ known, opensReads: true });
}

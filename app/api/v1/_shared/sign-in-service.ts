import {
  type Attempt,
  type AttemptKind,
  attemptMinutes,
  beginAttempt,
  type SignInService,
  serviceAddress,
  staleSignIn,
  takeAttempt,
} from "@/domain/sign-in";
import { fail } from "@/lib/common/errors";
import {
  digestOfAttempt,
  hasAccounts,
  makeAttempt,
  partOfAttempt,
  shownAttempt,
} from "@/lib/server/auth";
import { clientSecret, portalEnv } from "@/lib/server/env";

/** The service that signs people in here, as an admin set it; null: none does. */
export function knownService(): SignInService | null {
  const env = portalEnv();
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = env;
  if (!hasAccounts() || issuer === undefined || clientId === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret: clientSecret(env),
    name: env.OIDC_NAME ?? new URL(issuer).host,
    scopes: env.OIDC_SCOPES,
    returnUrl: new URL("/sign-in/return", env.PORTAL_URL).href,
    policy: { allowedHosts: env.OIDC_ALLOWED_HOSTS },
  };
}

/** The same where one is wanted. @throws {AppError} `STATE_CONFLICT` */
export function requireService(): SignInService {
  const service = knownService();
  if (service) return service;
  throw fail("STATE_CONFLICT", "No other service signs people in here.", {
    hint: "Sign in by a password or a passkey. An administrator sets OIDC_ISSUER.",
  });
}

/**
 * Sends somebody to the service.
 *
 * @returns An answer that sets the cookie of the attempt, and says where to go.
 * @throws {AppError} `SIGN_IN_SERVICE_AWAY`
 */
export async function leadToService(attempt: Partial<Attempt>): Promise<Response> {
  const service = requireService();
  const { secret, cookie } = makeAttempt(attemptMinutes * 60);
  const url = await serviceAddress(service, secretsOf(secret));
  await beginAttempt(digestOfAttempt(secret), { kind: "service", ...attempt });
  return Response.json({ url }, { headers: { "set-cookie": cookie } });
}

/** The attempt that a browser comes back from, which is used up by that. @throws {AppError} `SIGN_IN_STALE` */
export async function shownAttemptOf(request: Request, kind: AttemptKind) {
  const secret = shownAttempt(request.headers.get("cookie"));
  if (secret === null) throw staleSignIn();
  const attempt = await takeAttempt(digestOfAttempt(secret), kind);
  return { ...attempt, secret, ...secretsOf(secret) };
}

const secretsOf = (secret: string) => ({
  state: partOfAttempt(secret, "state"),
  nonce: partOfAttempt(secret, "nonce"),
  verifier: partOfAttempt(secret, "verifier"),
});

import { type Attempt, type SignInService, serviceAddress } from "@/domain/sign-in";
import { fail } from "@/lib/common/errors";
import { hasAccounts } from "@/lib/server/auth";
import { clientSecret, portalEnv } from "@/lib/server/env";
import { beginIn, type PartOf, shownAttemptOf } from "./sign-in-attempt";

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
  return await beginIn("service", attempt, async (partOf) => ({
    url: await serviceAddress(service, secretsOf(partOf)),
  }));
}

/** The attempt that a browser comes back from. @throws {AppError} `SIGN_IN_STALE` */
export async function serviceAttemptOf(request: Request) {
  const { attempt, partOf } = await shownAttemptOf(request, "service");
  return { attempt, secrets: secretsOf(partOf) };
}

const secretsOf = (partOf: PartOf) => ({
  state: partOf("state"),
  nonce: partOf("nonce"),
  verifier: partOf("verifier"),
});

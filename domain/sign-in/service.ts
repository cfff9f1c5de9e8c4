import type * as Client from "openid-client";
import { Agent, fetch as fetchWith } from "undici";
import {
  checkedConnector,
  parseSourceUrl,
  type Resolve,
  type SourcePolicy,
  systemResolve,
} from "@/domain/sources";
import { type AppError, fail, isAppError, systemCodeOf } from "@/lib/common/errors";
import { logger } from "@/lib/server/logger";

/** Another service that says who somebody is, by OpenID Connect. */
export interface SignInService {
  readonly issuer: string;
  /** As people know it. */
  readonly name: string;
  readonly clientId: string;
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** Where it leads people back to. */
  readonly returnUrl: string;
  readonly policy: SourcePolicy;
  readonly resolve?: Resolve;
}

/** What an attempt and its answer are held together by; only the browser that began has them. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Somebody as the service knows them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  /** In lower case; null unless the service says that it is theirs. */
  readonly email: string | null;
}

const timeoutS = 10;
const mostBytes = 1 << 20;
/** What the service tells of itself, its keys too, is asked for again after so long. */
const keptMs = 3_600_000;

let kept: { readonly of: string; readonly untilMs: number; config: Client.Configuration } | null =
  null;

/**
 * Where somebody is sent to say who they are.
 *
 * @throws {AppError} `SIGN_IN_SERVICE_AWAY`
 */
export async function serviceAddress(
  service: SignInService,
  { state, nonce, verifier }: AttemptSecrets,
): Promise<string> {
  const client = await import("openid-client");
  try {
    const config = await configurationOf(client, service);
    return client.buildAuthorizationUrl(config, {
      redirect_uri: service.returnUrl,
      scope: service.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).href;
  } catch (error) {
    throw problemOf(error, service);
  }
}

/**
 * Who it is, by what the service led back with: its answer is for this attempt, from this issuer, signed by its key, and new.
 *
 * @param query Of the address that it led back to.
 * @throws {AppError} `SIGN_IN_REFUSED`, `SIGN_IN_SERVICE_AWAY`
 */
export async function readServiceAnswer(
  service: SignInService,
  query: string,
  { state, nonce, verifier }: AttemptSecrets,
): Promise<Identity> {
  const client = await import("openid-client");
  try {
    const config = await configurationOf(client, service);
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(`${service.returnUrl}?${new URLSearchParams(query)}`),
      {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (!claims) throw refused(service);
    const { userinfo_endpoint: more } = config.serverMetadata();
    const isWhole = typeof claims["name"] === "string" && typeof claims["email"] === "string";
    const told =
      isWhole || more === undefined
        ? claims
        : {
            ...claims,
            ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)),
          };
    return { issuer: claims.iss, subject: claims.sub, ...personOf(told) };
  } catch (error) {
    throw problemOf(error, service);
  }
}

function personOf(claims: Readonly<Record<string, unknown>>): Pick<Identity, "name" | "email"> {
  const { name, preferred_username: short, email, email_verified: isVerified } = claims;
  const shown = [name, short].find((text) => typeof text === "string" && text.trim() !== "");
  const isEmail =
    typeof email === "string" && /^[^@\s\p{Cc}]{1,64}@[^@\s\p{Cc}]{1,189}$/u.test(email);
  return {
    name: typeof shown === "string" ? plain(shown) : null,
    email: isEmail && isVerified === true ? email.toLowerCase() : null,
  };
}

/** A name as others read it: no line ends, and nothing that turns the text around it. */
const plain = (text: string): string | null =>
  [...text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, "").trim()].slice(0, 80).join("") ||
  null;

async function configurationOf(
  client: typeof Client,
  service: SignInService,
): Promise<Client.Configuration> {
  const of = JSON.stringify([service.issuer, service.clientId, service.clientSecret]);
  if (kept?.of === of && performance.now() < kept.untilMs) return kept.config;
  const { url } = parseSourceUrl(service.issuer, service.policy, "OIDC_ISSUER");
  const isPlain = url.protocol === "http:";
  const config = await client.discovery(
    url,
    service.clientId,
    undefined,
    service.clientSecret === undefined
      ? client.None()
      : client.ClientSecretBasic(service.clientSecret),
    {
      timeout: timeoutS,
      [client.customFetch]: (address, options) => fetchChecked(service, address, options),
      // An admin listed this very host; its other addresses are judged by themselves.
      execute: isPlain ? [client.allowInsecureRequests] : [],
    },
  );
  // TLS would do by the standard; a key of the issuer says it again.
  client.enableNonRepudiationChecks(config);
  kept = { of, untilMs: performance.now() + keptMs, config };
  return config;
}

/** Each address, also those that the service names, is judged like that of a model; none leads on. */
async function fetchChecked(
  { policy, resolve = systemResolve }: SignInService,
  address: string,
  { method, headers, body, signal }: Client.CustomFetchOptions,
): Promise<Response> {
  const source = parseSourceUrl(address, policy, "OIDC_ISSUER");
  const connect = checkedConnector({ source, resolve, timeoutMs: timeoutS * 1000 });
  const agent = new Agent({ connect, maxHeaderSize: 16 * 1024, pipelining: 0 });
  try {
    const answer = await fetchWith(source.url, {
      dispatcher: agent,
      method,
      headers: { ...headers, "accept-encoding": "identity", "user-agent": "boardwalk" },
      redirect: "manual",
      signal: signal ?? AbortSignal.timeout(timeoutS * 1000),
      ...(body === undefined || body === null ? {} : { body: body.toString() }),
    });
    const bytes: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body ?? []) {
      bytes.push(piece as Uint8Array);
      size += (piece as Uint8Array).length;
      if (size > mostBytes) throw new Error("the answer is too long");
    }
    return new Response(size > 0 ? Buffer.concat(bytes) : null, {
      status: answer.status,
      headers: [...answer.headers],
    });
  } finally {
    await agent.destroy();
  }
}

/** What people are told. Answers of the service hold codes and tokens, so that none of it is passed on or written down. */
function problemOf(error: unknown, service: SignInService): AppError {
  if (isAppError(error) && error.reason.startsWith("SIGN_IN_")) return error;
  const isForbidden = isAppError(error) || (error instanceof Error && isAppError(error.cause));
  const { code, name, error: said, status } = error as Readonly<Record<string, unknown>>;
  const system = systemCodeOf(error);
  logger().warn(
    { service: service.issuer, code, name, said: word(said), status, system },
    isForbidden
      ? "the sign-in service has an address that is not allowed: OIDC_ALLOWED_HOSTS lists exact hosts and ports"
      : "a sign-in by the service failed",
  );
  if (name === "AuthorizationResponseError") return refused(service, word(said));
  // The code was used, is past, or is for somebody else.
  if (said === "invalid_grant") return refused(service, word(said));
  const isAnswer = typeof code === "string" && /^OAUTH_/.test(code) && !awayCodes.test(code);
  return isAnswer ? refused(service) : away(service);
}

const awayCodes =
  /^OAUTH_(TIMEOUT|ABORT|RESPONSE_IS_NOT_(CONFORM|JSON)|RESPONSE_BODY_ERROR|JSON_ATTRIBUTE_COMPARISON_FAILED|HTTP_REQUEST_FORBIDDEN)$/;
const word = (said: unknown): string | undefined =>
  typeof said === "string" ? /^[a-z_]{1,40}$/.exec(said)?.[0] : undefined;

const refused = ({ name }: SignInService, said?: string): AppError =>
  fail(
    "SIGN_IN_REFUSED",
    said === undefined
      ? `The answer of ${name} does not fit this sign-in.`
      : `${name} does not say who you are: ${said}.`,
    {
      hint: "Begin again on the sign-in page. If it happens again, tell whoever runs this Boardwalk.",
    },
  );

const away = ({ name }: SignInService): AppError =>
  fail("SIGN_IN_SERVICE_AWAY", `${name} cannot be reached, or does not answer as it should.`, {
    hint: "Try again later, or sign in by a password or a passkey.",
  });

import { randomBytes } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { passwordLength, type SignIn } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database, uuidv7 } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { clientHeader } from "@/lib/server/http";
import { roughPlace } from "../rough-place";
import { digestOfSession, sessionCookie, sessionLife } from "../sessions";
import { SignInFailures } from "./failures";
import { withHashedSessions } from "./hashed-sessions";
import { hashPassword, isPassword } from "./password";

// better-auth proves who somebody is and opens the session. Who is invited, who may do what, and how long a session is good are ours.

type Auth = ReturnType<typeof makeAuth>;
let auth: Auth | undefined;
const failures = new SignInFailures();

/** Loads it with the first who signs in: gateways and workers, which know tokens too, never do. */
async function makeAuth() {
  const [{ betterAuth }, { prismaAdapter }] = await Promise.all([
    import("better-auth"),
    import("better-auth/adapters/prisma"),
  ]);
  const { name, isSecure } = sessionCookie();
  const prisma = prismaAdapter(database(), { provider: "postgresql" });
  return betterAuth({
    baseURL: portalEnv().PORTAL_URL,
    // It signs cookies, which are looked up whatever their signature.
    secret: randomBytes(32).toString("base64url"),
    database: (options: BetterAuthOptions) => withHashedSessions(prisma(options)),
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 1,
      maxPasswordLength: passwordLength.most,
      password: {
        hash: hashPassword,
        verify: ({ password, hash }) => isPassword(password, hash),
      },
    },
    session: { expiresIn: sessionLife.idleS, disableSessionRefresh: true },
    advanced: {
      useSecureCookies: false,
      database: { generateId: () => uuidv7() },
      ipAddress: { disableIpTracking: true },
      cookies: {
        session_token: {
          name,
          attributes: { httpOnly: true, secure: isSecure, sameSite: "lax", path: "/" },
        },
      },
    },
  });
}

/**
 * Signs somebody in by their password.
 *
 * @returns The cookie to set.
 * @throws {AppError} `UNAUTHENTICATED`, the same for a wrong password and for somebody unknown; `RATE_LIMITED`
 */
export async function signIn({ email, password }: SignIn, headers: Headers): Promise<string> {
  const address = headers.get(clientHeader) ?? "";
  const waitS = failures.waitS(email, address) || failures.count(email, address);
  if (waitS > 0)
    throw fail("RATE_LIMITED", `Too many tries: the next one in ${waitS} s.`, {
      details: { retryAfterS: waitS },
      hint: "Wait, then try again. Nobody is locked out.",
    });
  auth ??= makeAuth();
  const { api } = await auth;
  try {
    const answer = await api.signInEmail({
      body: { email, password },
      headers: new Headers({ "user-agent": headers.get("user-agent") ?? "" }),
      returnHeaders: true,
    });
    failures.forget(email, address);
    await placeSession(answer.response.token, roughPlace(address));
    // The cookie outlives a night; the session says when it is over.
    return withAge(answer.headers.getSetCookie()[0] ?? "", sessionLife.wholeS);
  } catch (error) {
    if (error instanceof Error && "statusCode" in error && error.statusCode === 401)
      throw fail("UNAUTHENTICATED", "The e-mail address or the password is wrong.", {
        hint: "Look at both. Somebody who forgot theirs asks an admin for a new invitation.",
      });
    throw error;
  }
}

/** Where somebody signed in: the network, and not the host. */
async function placeSession(text: string, place: string | null): Promise<void> {
  await database().$executeRaw`
    UPDATE session SET ip_address = ${place} WHERE token = ${digestOfSession(text)}`;
}

const withAge = (cookie: string, ageS: number): string =>
  cookie.replace(/Max-Age=\d+/i, `Max-Age=${ageS}`);

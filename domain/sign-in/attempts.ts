import { fail } from "@/lib/common/errors";
import { database } from "@/lib/server/db";

/** How somebody wants to prove who they are: by another service, by a passkey, or by a passkey that is made now. */
export type AttemptKind = "service" | "passkey" | "new-passkey";

/** Somebody who went to prove who they are. */
export interface Attempt {
  /** Where the person is signed in who adds a way to sign in; null: they are to be signed in. */
  readonly sessionId: string | null;
  /** Digest of the invitation that they come by. */
  readonly invitation: Buffer | null;
  /** The page that they wanted. */
  readonly next: string;
}

/** An attempt is good for so long. */
export const attemptMinutes = 10;
/** More are not remembered; the oldest go first, so that nobody is kept out by who begins many. */
const mostAttempts = 50_000;

/**
 * Remembers that somebody went.
 *
 * @param digest Of what their browser alone has.
 */
export async function beginAttempt(
  digest: Buffer,
  {
    kind,
    sessionId = null,
    invitation = null,
    next = "/",
  }: { readonly kind: AttemptKind } & Partial<Attempt>,
): Promise<void> {
  await database().$transaction([
    database().$executeRaw`
      INSERT INTO sign_in_attempt (digest, kind, session_id, invitation, next, expires_at)
      VALUES (${digest}, ${kind}, ${sessionId}::uuid, ${invitation}, ${next},
        now() + make_interval(mins => ${attemptMinutes}))`,
    database().$executeRaw`
      DELETE FROM sign_in_attempt WHERE digest IN (
        SELECT digest FROM sign_in_attempt ORDER BY expires_at DESC OFFSET ${mostAttempts})`,
  ]);
}

/**
 * Takes up an attempt, which no second answer can then.
 *
 * @throws {AppError} `SIGN_IN_STALE`: never begun in this browser, used, or past
 */
export async function takeAttempt(digest: Buffer, kind: AttemptKind): Promise<Attempt> {
  const [attempt] = await database().$queryRaw<Attempt[]>`
    DELETE FROM sign_in_attempt WHERE digest = ${digest} AND kind = ${kind} AND expires_at > now()
    RETURNING session_id AS "sessionId", invitation, next`;
  if (!attempt) throw staleSignIn();
  return { ...attempt, invitation: attempt.invitation && Buffer.from(attempt.invitation) };
}

/** One answer for all that fits no attempt of this browser. */
export const staleSignIn = () =>
  fail("SIGN_IN_STALE", "This sign-in was not begun in this browser, or is used or past.", {
    hint: "Begin again on the sign-in page, in one tab, and finish within ten minutes.",
  });

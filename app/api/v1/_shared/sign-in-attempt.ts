import {
  type Attempt,
  type AttemptKind,
  attemptMinutes,
  beginAttempt,
  staleSignIn,
  takeAttempt,
} from "@/domain/sign-in";
import {
  type AttemptPart,
  digestOfAttempt,
  makeAttempt,
  partOfAttempt,
  shownAttempt,
} from "@/lib/server/auth";

/** A part of the attempt's secret, of 43 characters. */
export type PartOf = (part: AttemptPart) => string;

/**
 * Begins an attempt in the browser that asks.
 *
 * @param answer What it is told.
 * @returns An answer that sets the cookie of the attempt.
 */
export async function beginIn(
  kind: AttemptKind,
  attempt: Partial<Attempt>,
  answer: (partOf: PartOf) => Promise<object>,
): Promise<Response> {
  const { secret, cookie } = makeAttempt(kind, attemptMinutes * 60);
  const body = await answer((part) => partOfAttempt(secret, part));
  await beginAttempt(digestOfAttempt(secret), { kind, ...attempt });
  return Response.json(body, { headers: { "set-cookie": cookie } });
}

/** The attempt that a browser shows, which is used up by that. @throws {AppError} `SIGN_IN_STALE` */
export async function shownAttemptOf(
  request: Request,
  kind: AttemptKind,
): Promise<{ readonly attempt: Attempt; readonly partOf: PartOf }> {
  const secret = shownAttempt(request.headers.get("cookie"), kind);
  if (secret === null) throw staleSignIn();
  const attempt = await takeAttempt(digestOfAttempt(secret), kind);
  return { attempt, partOf: (part) => partOfAttempt(secret, part) };
}

import { fail } from "@/lib/common/errors";
import type { Caller } from "@/lib/server/auth";
import { portalEnv } from "@/lib/server/env";
import { PaceOfEach } from "@/lib/server/pace";

// Each process of the portal counts in its memory. Programs and pages of one person are counted apart: pages look again by themselves,
// and are what somebody needs whose program has run wild.

/** What a request counts as, beside a request: the begin of a build; or as nothing here, since what answers it has a pace of its own. */
export type Counts = "submit" | "paced";

const withinS = 60;
const each = (most: number) => new PaceOfEach("", most, { withinS });

let paces: Readonly<Record<"program" | "page" | "submit", PaceOfEach>> | undefined;
function pacesOf() {
  const env = portalEnv();
  paces ??= {
    program: each(env.API_REQUESTS_PER_MINUTE),
    page: each(env.PAGE_REQUESTS_PER_MINUTE),
    submit: each(env.BUILD_SUBMITS_PER_MINUTE),
  };
  return paces;
}

/**
 * Counts a request for whom it is of: a person, by all their sessions or all their tokens, or a token that is nobody's. A stream counts
 * once. The owner of an installation without accounts is not counted, nor is somebody who showed nothing.
 *
 * @throws {AppError} `RATE_LIMITED`
 */
export function countRequest(
  { kind, personId, credentialId }: Caller,
  counts: Counts | undefined,
): void {
  const who = personId ?? credentialId;
  if ((kind !== "person" && kind !== "token") || who === null || counts === "paced") return;
  const { program, page, submit } = pacesOf();
  const isProgram = kind === "token";
  take(isProgram ? program : page, who, {
    what: isProgram ? "Your programs ask the portal" : "Your pages ask the portal",
    hint: "Ask less often: `/api/v1/events` tells of changes as they come.",
  });
  if (counts === "submit")
    take(submit, who, {
      what: "You begin builds",
      hint: "Begin the others later. Whoever runs this Boardwalk may allow more.",
    });
}

function take(
  pace: PaceOfEach,
  who: string,
  { what, hint }: { readonly what: string; readonly hint: string },
): void {
  const waitS = Math.ceil(pace.of(who).tryTake());
  if (waitS === 0) return;
  throw fail(
    "RATE_LIMITED",
    `${what} more than ${pace.most} times a minute: go on in ${waitS} s.`,
    {
      details: { retryAfterS: waitS },
      hint,
    },
  );
}

import { fail } from "@/lib/common/errors";
import type { Caller } from "@/lib/server/auth";

/**
 * The person who asks, and where they are signed in.
 *
 * @throws {AppError} `STATE_CONFLICT` where nobody has an account
 */
export function personOf({ userId, credentialId }: Caller): {
  readonly userId: string;
  readonly sessionId: string;
} {
  if (userId !== null && credentialId !== null) return { userId, sessionId: credentialId };
  throw fail("STATE_CONFLICT", "Nobody has an account here: this Boardwalk has one owner.", {
    hint: "Start it with BOARDWALK_ACCOUNTS=on.",
  });
}

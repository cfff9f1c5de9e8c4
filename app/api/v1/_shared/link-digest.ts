import { fail } from "@/lib/common/errors";
import { digestOfToken } from "@/lib/server/auth";

/** What an invitation, or another link, is found by. @throws {AppError} `INVITATION_UNKNOWN` for a text that no code can be. */
export function linkDigest(code: string): Buffer {
  const digest = digestOfToken(code);
  if (digest) return digest;
  throw fail("INVITATION_UNKNOWN", "This link is not good: some of it is missing.", {
    hint: "Open the whole link, to its last character.",
  });
}

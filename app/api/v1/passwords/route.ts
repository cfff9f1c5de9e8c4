import { readReset, resetPassword } from "@/domain/people";
import { passwordResetSchema } from "@/lib/common/contract";
import { hashPassword, requireGoodPassword } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../_shared/link-digest";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "passwords.reset",
  needs: "nothing",
  summary: "Sets a password by a link, once; whoever it is of is signed out everywhere.",
  body: passwordResetSchema,
  audit: {
    refusals: ({ reason }) => reason === "INVITATION_UNKNOWN",
    claim: ({ code }) => ({ resetDigest: linkDigest(code) }),
  },
  handle: async ({ body: { code, password } }) => {
    const digest = linkDigest(code);
    const { name, email } = await readReset(digest);
    requireGoodPassword(password, [name, email ?? ""]);
    await resetPassword(digest, await hashPassword(password));
    return undefined;
  },
});

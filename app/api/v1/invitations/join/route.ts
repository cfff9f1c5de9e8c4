import { joinAsNew, readOffer } from "@/domain/people";
import { newPersonSchema } from "@/lib/common/contract";
import { hashPassword, requireGoodPassword, signIn } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { linkDigest } from "../../_shared/link-digest";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "invitations.join",
  needs: "nothing",
  summary: "Makes an account by an invitation, and signs in.",
  body: newPersonSchema,
  rawResponse: "text/plain",
  audit: {
    refusals: ({ reason }) => reason === "INVITATION_UNKNOWN",
    claim: ({ email }) => ({ email }),
  },
  handle: async ({ body: { code, name, email, password }, request }) => {
    const digest = linkDigest(code);
    // Nobody without an invitation has passwords stretched here.
    await readOffer(digest);
    requireGoodPassword(password, [name, email]);
    await joinAsNew({ name, email }, { digest, password: await hashPassword(password) });
    const cookie = await signIn({ email, password }, request.headers);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

import { addPasskey, staleSignIn } from "@/domain/sign-in";
import { newPasskeySchema } from "@/lib/common/contract";
import { endAttempt } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { requireParty } from "../../_shared/passkeys";
import { personOf } from "../../_shared/person";
import { shownAttemptOf } from "../../_shared/sign-in-attempt";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "me.passkeys.add",
  needs: "person",
  summary: "Adds a passkey, in the session that began to.",
  body: newPasskeySchema,
  rawResponse: "text/plain",
  handle: async ({ caller, body, request }) => {
    const { userId, sessionId } = personOf(caller);
    const party = requireParty();
    const { attempt, partOf } = await shownAttemptOf(request, "new-passkey");
    if (attempt.sessionId !== sessionId) throw staleSignIn();
    await addPasskey(userId, body, { party, challenge: partOf("challenge") });
    return new Response(null, {
      status: 204,
      headers: { "set-cookie": endAttempt("new-passkey") },
    });
  },
});

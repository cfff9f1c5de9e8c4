import { comeByPasskey } from "@/domain/sign-in";
import { passkeySignInSchema } from "@/lib/common/contract";
import { endAttempt, openSession } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { requireParty } from "../../_shared/passkeys";
import { shownAttemptOf } from "../../_shared/sign-in-attempt";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "sign-in.passkey",
  needs: "nothing",
  summary:
    "Signs somebody in by what their passkey signed: the answer sets the cookie of their session.",
  body: passkeySignInSchema,
  rawResponse: "text/plain",
  handle: async ({ body, request }) => {
    const party = requireParty();
    const { partOf } = await shownAttemptOf(request, "passkey");
    const arrival = await comeByPasskey(body.response, { party, challenge: partOf("challenge") });
    const headers = new Headers({ "set-cookie": endAttempt("passkey") });
    headers.append("set-cookie", await openSession(arrival, request.headers));
    return new Response(null, { status: 204, headers });
  },
});

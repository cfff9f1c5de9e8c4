import { comeByService, linkIdentity, readServiceAnswer, staleSignIn } from "@/domain/sign-in";
import { onwardSchema, serviceAnswerSchema } from "@/lib/common/contract";
import { endAttempt, openSession } from "@/lib/server/auth";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { requireService, serviceAttemptOf } from "../../../_shared/sign-in-service";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "sign-in.service-answer",
  needs: "nothing",
  summary:
    "Ends a sign-in by another service, in the browser that began it: the answer sets the cookie of their session.",
  body: serviceAnswerSchema,
  response: onwardSchema,
  rawResponse: "application/json",
  handle: async ({ body: { query }, request, caller }) => {
    const service = requireService();
    const { attempt, secrets } = await serviceAttemptOf(request);
    const { sessionId, invitation, next } = attempt;
    // Who adds a way to sign in is still signed in, as the same.
    if (sessionId !== null && sessionId !== caller.credentialId) throw staleSignIn();
    const identity = await readServiceAnswer(service, query, secrets);
    const headers = new Headers({ "set-cookie": endAttempt("service") });
    if (sessionId === null) {
      const domains = portalEnv().OIDC_EMAIL_DOMAINS;
      const arrival = await comeByService(identity, { invitation, domains });
      headers.append("set-cookie", await openSession(arrival, request.headers));
    } else await linkIdentity(sessionId, identity);
    return Response.json({ next }, { headers });
  },
});

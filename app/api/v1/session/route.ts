import { endSession } from "@/domain/people";
import { idPrefixes, signInSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { cookieAttributes, hasAccounts, sessionCookie, signIn } from "@/lib/server/auth";
import { toId } from "@/lib/server/db";
import { defineHandler } from "@/lib/server/handler";
import { personOf } from "../_shared/person";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "session.create",
  needs: "nothing",
  summary: "Signs somebody in by their password: the answer sets the cookie of their session.",
  body: signInSchema,
  rawResponse: "text/plain",
  audit: { refusals: ({ reason }) => reason === "RATE_LIMITED", claim: ({ email }) => ({ email }) },
  handle: async ({ body, request }) => {
    if (!hasAccounts())
      throw fail("STATE_CONFLICT", "Nobody signs in here: this Boardwalk has one owner.", {
        hint: "Start it with BOARDWALK_ACCOUNTS=on.",
      });
    const cookie = await signIn(body, request.headers);
    return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
  },
});

export const DELETE = defineHandler({
  name: "session.end",
  needs: "person",
  summary: "Signs out here.",
  rawResponse: "text/plain",
  handle: async ({ caller }) => {
    const { userId, sessionId } = personOf(caller);
    await endSession(userId, toId(idPrefixes.session, sessionId));
    return new Response(null, {
      status: 204,
      headers: {
        "set-cookie": `${sessionCookie().name}=; ${cookieAttributes("Lax", 0)}`,
        "clear-site-data": '"storage"',
      },
    });
  },
});

import { listTokens, makeToken } from "@/domain/tokens";
import { madeTokenSchema, newTokenSchema, pageOf, tokenSchema } from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "tokens.list",
  needs: "members",
  summary:
    "Tokens that were not revoked, newest first: all of them, without the tokens themselves.",
  response: pageOf(tokenSchema),
  handle: async ({ scope }) => ({ items: await listTokens(scope), nextCursor: null }),
});

export const POST = defineHandler({
  name: "tokens.create",
  needs: "members",
  summary:
    "Makes a token, which this answer alone holds. It lives for 90 days if nothing is said, 365 at most.",
  body: newTokenSchema,
  response: madeTokenSchema,
  status: 201,
  handle: async ({ scope, caller, body }) => {
    const { text, ...kept } = makeTokenText("api");
    return { ...(await makeToken(scope, body, kept, caller.userId)), token: text };
  },
});

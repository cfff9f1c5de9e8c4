import { addWebhook } from "@/domain/notifications";
import { createdWebhookSchema, newWebhookSchema } from "@/lib/common/contract";
import { connectionKeyFile, portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "notifications.addWebhook",
  needs: "members",
  summary:
    "Has builds that end posted to an address, signed with a secret that only this answer shows: `Boardwalk-Signature: t=…,v1=<HMAC-SHA256 of t.body>`.",
  body: newWebhookSchema,
  response: createdWebhookSchema,
  status: 201,
  handle: ({ scope, body }) =>
    addWebhook(scope, body, {
      policy: { allowedHosts: portalEnv().SOURCE_ALLOWED_HOSTS },
      keyFile: connectionKeyFile(portalEnv()),
    }),
});

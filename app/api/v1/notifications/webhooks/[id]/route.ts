import { removeWebhook } from "@/domain/notifications";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "notifications.removeWebhook",
  needs: "members",
  summary: "Tells a webhook no more; what still waits to be sent to it is not sent.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await removeWebhook(scope, id);
    return undefined;
  },
});

import { removeMailRecipient } from "@/domain/notifications";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "notifications.removeRecipient",
  needs: "members",
  summary: "Tells a recipient no more; what still waits to be sent to it is not sent.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await removeMailRecipient(scope, id);
    return undefined;
  },
});

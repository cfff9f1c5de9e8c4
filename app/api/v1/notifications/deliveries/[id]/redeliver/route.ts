import { redeliver } from "@/domain/notifications";
import { askedDeliverySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "notifications.redeliver",
  needs: "members",
  summary: "Sends a message once more: the same bytes under the same id.",
  params: idParams,
  response: askedDeliverySchema,
  status: 202,
  handle: async ({ scope, params: { id } }) => ({ deliveryId: await redeliver(scope, id) }),
});

import { testReceiver } from "@/domain/notifications";
import { askedDeliverySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "notifications.testRecipient",
  needs: "members",
  summary: "Sends a message that says only that it is a test; the delivery tells what came of it.",
  params: idParams,
  response: askedDeliverySchema,
  status: 202,
  handle: async ({ scope, params: { id } }) => ({
    deliveryId: await testReceiver(scope, "mail", id),
  }),
});

import { listDeliveries } from "@/domain/notifications";
import { deliveriesQuerySchema, deliverySchema, pageOf } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "notifications.deliveries",
  needs: "members",
  summary: "What was sent to whom, the newest first, with what the receiver answered.",
  query: deliveriesQuerySchema,
  response: pageOf(deliverySchema),
  handle: ({ scope, query }) => listDeliveries(scope, query),
});

import { listTraffic } from "@/domain/traffic";
import { trafficListQuerySchema, trafficPageSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "traffic.list",
  needs: "read",
  summary:
    "What each endpoint was asked in the last half hour: those that are named, else a page of all by name.",
  query: trafficListQuerySchema,
  response: trafficPageSchema,
  handle: ({ scope, query: { name, ...page } }) => listTraffic(scope, { ...page, names: name }),
});

import { getEndpointOverview } from "@/domain/endpoints";
import { endpointOverviewSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "overviews.endpoints",
  needs: "read",
  summary:
    "The few endpoints that the first page shows: hardware first, those in trouble, those of samples.",
  response: endpointOverviewSchema,
  handle: ({ scope }) => getEndpointOverview(scope),
});

import { countEndpoints } from "@/domain/endpoints";
import { endpointFilterSchema, endpointListCountsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "counts.endpoints",
  needs: "read",
  summary: "How many endpoints that match are in each state, whichever states are chosen.",
  query: endpointFilterSchema,
  response: endpointListCountsSchema,
  handle: ({ scope, query }) => countEndpoints(scope, query),
});

import { getTraffic } from "@/domain/traffic";
import { trafficQuerySchema, trafficSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.traffic",
  needs: "read",
  summary:
    "What an endpoint was asked: rate, errors and latencies over the last hour, day or month, or between two moments.",
  params: nameParams,
  query: trafficQuerySchema,
  response: trafficSchema,
  handle: ({ scope, params, query }) => getTraffic(scope, params.name, query),
});

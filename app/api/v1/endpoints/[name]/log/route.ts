import { listEndpointLog } from "@/domain/traffic";
import { endpointLogQuerySchema, endpointLogSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.log",
  needs: "read",
  summary:
    "What happened to an endpoint, newest first: states, revisions, switches, boards, pauses.",
  params: nameParams,
  query: endpointLogQuerySchema,
  response: endpointLogSchema,
  handle: ({ scope, params, query }) => listEndpointLog(scope, params.name, query),
});

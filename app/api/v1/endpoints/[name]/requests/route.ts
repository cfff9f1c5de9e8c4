import { listRequests } from "@/domain/traffic";
import { requestListQuerySchema, requestListSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "requests.list",
  needs: "read",
  summary: "The last requests of an endpoint, newest first, without their bodies.",
  params: nameParams,
  query: requestListQuerySchema,
  response: requestListSchema,
  handle: ({ scope, caller: { personId }, params, query }) =>
    listRequests({ scope, personId }, params.name, query.outcome),
});

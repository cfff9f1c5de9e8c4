import { requireAskable } from "@/domain/endpoints";
import { predictQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";
import { predict } from "../../../_shared/predict";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.predict",
  needs: "infer",
  counts: "paced",
  summary:
    "A V2 inference request, answered with the V2 answer and where its time went. It reaches the gateway as JSON, with blobs, or as a gRPC call that the portal makes.",
  params: nameParams,
  query: predictQuerySchema,
  rawBody: "application/json",
  rawResponse: "application/json",
  audit: { changesNothing: true },
  handle: async ({ caller, params, query, request }) => {
    await requireAskable(caller, params.name);
    return await predict({ name: params.name, caller, ...query }, request);
  },
});

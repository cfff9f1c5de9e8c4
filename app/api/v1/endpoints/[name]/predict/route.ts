import { getEndpoint } from "@/domain/endpoints";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";
import { predict } from "../../../_shared/predict";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.predict",
  summary: "A V2 inference request, answered with the V2 answer and where its time went.",
  params: nameParams,
  rawBody: "application/json",
  rawResponse: "application/json",
  handle: async ({ scope, params, request }) => {
    await getEndpoint(scope, params.name);
    return await predict(params.name, request);
  },
});

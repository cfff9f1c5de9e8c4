import { getEndpoint, pauseEndpoint } from "@/domain/endpoints";
import { endpointSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { fault } from "@/lib/server/process";
import { withGatewayAddresses } from "../../../_shared/gateway";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.pause",
  needs: "deploy",
  summary:
    "Keeps callers from an endpoint, which get 503, until it is resumed; its boards stay loaded. Again is no error.",
  params: nameParams,
  response: endpointSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    await pauseEndpoint(scope, params.name);
    fault("portal.after-commit");
    return withGatewayAddresses(await getEndpoint(scope, params.name));
  },
});

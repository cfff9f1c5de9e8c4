import { deleteEndpoint, getEndpoint } from "@/domain/endpoints";
import { endpointSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { withGatewayAddresses, withGatewayUrl } from "../../_shared/gateway";
import { nameParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "endpoints.get",
  needs: "read",
  summary: "One endpoint: state, address, proof, and a valid sample request.",
  params: nameParams,
  response: endpointSchema,
  handle: async ({ scope, params }) => withGatewayAddresses(await getEndpoint(scope, params.name)),
});

export const DELETE = defineHandler({
  name: "endpoints.delete",
  needs: "deploy",
  summary:
    "Ends an endpoint: it answers no more at once; its slots and name are free a moment later.",
  params: nameParams,
  response: endpointSchema,
  status: 202,
  handle: async ({ scope, params }) => {
    const before = await getEndpoint(scope, params.name);
    await deleteEndpoint(scope, params.name);
    return withGatewayUrl({ ...before, state: "deleting" as const });
  },
});

import { getEndpoint, rollBack } from "@/domain/endpoints";
import { endpointSchema, rollbackSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { fault } from "@/lib/server/process";
import { withGatewayAddresses } from "../../../_shared/gateway";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.rollback",
  needs: "deploy",
  summary:
    "Has an earlier or later revision serve again, without a build: the one that served before, where none is named.",
  params: nameParams,
  body: rollbackSchema,
  response: endpointSchema,
  status: 202,
  handle: async ({ scope, params, body }) => {
    await rollBack(scope, params.name, body);
    fault("portal.after-commit");
    return withGatewayAddresses(await getEndpoint(scope, params.name));
  },
});

import { setEndpointAccess } from "@/domain/endpoints";
import { accessChangeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.setAccess",
  needs: "deploy",
  summary:
    "Says who may ask an endpoint: its owner alone (`private`: whoever says so), who shows a token of its `project`, or `all` who reach the gateway. Again is no error.",
  params: nameParams,
  body: accessChangeSchema,
  response: accessChangeSchema,
  handle: async ({ caller, scope, params: { name }, body: { access } }) => {
    await setEndpointAccess(scope, name, access, caller.personId);
    return { access };
  },
});

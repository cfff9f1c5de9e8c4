import { setEndpointAccess } from "@/domain/endpoints";
import { accessChangeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { nameParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "endpoints.setAccess",
  needs: "deploy",
  summary:
    "Says who may ask an endpoint: `all` who reach the gateway, or who shows a token of its project. Again is no error.",
  params: nameParams,
  body: accessChangeSchema,
  response: accessChangeSchema,
  handle: async ({ scope, params: { name }, body: { access } }) => {
    await setEndpointAccess(scope, name, access);
    return { access };
  },
});

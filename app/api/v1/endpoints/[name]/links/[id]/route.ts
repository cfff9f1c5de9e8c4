import { revokeLink } from "@/domain/tokens";
import { defineHandler } from "@/lib/server/handler";
import { idAndNameParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "endpoints.revokeLink",
  needs: "deploy",
  summary: "Revokes a link: within a second it is good for nothing.",
  params: idAndNameParams,
  handle: async ({ scope, params: { id, name } }) => {
    await revokeLink(scope, name, id);
    return undefined;
  },
});

import { revokeToken } from "@/domain/tokens";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "tokens.revoke",
  needs: "members",
  summary: "Revokes a token: within a second it is good for nothing, open streams included.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await revokeToken(scope, id);
    return undefined;
  },
});

import { withdrawInvitation } from "@/domain/people";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "invitations.withdraw",
  needs: "members",
  summary: "Takes an invitation back.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await withdrawInvitation(scope, id);
    return undefined;
  },
});

import { removeMember } from "@/domain/people";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "members.remove",
  needs: "members",
  summary: "Takes somebody out of the project, and their tokens of it with them.",
  params: idParams,
  handle: async ({ scope, params: { id } }) => {
    await removeMember(scope, id);
    return undefined;
  },
});

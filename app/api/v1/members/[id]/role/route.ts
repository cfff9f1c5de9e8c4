import { changeRole } from "@/domain/people";
import { roleChangeSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "members.change-role",
  needs: "members",
  summary: "Gives a member another role; they sign in again.",
  params: idParams,
  body: roleChangeSchema,
  handle: async ({ scope, params: { id }, body: { role } }) => {
    await changeRole(scope, id, role);
    return undefined;
  },
});

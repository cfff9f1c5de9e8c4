import { allowReset } from "@/domain/people";
import { madeLinkSchema } from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";
import { secretLink } from "../../../_shared/secret-link";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "members.password-link",
  needs: "admin",
  summary:
    "Makes a link by which a member sets another password, once, within 24 hours; this answer alone holds it.",
  params: idParams,
  response: madeLinkSchema,
  status: 201,
  handle: async ({ scope, params: { id } }) => {
    const { text, digest } = makeTokenText("reset");
    await allowReset(scope, id, digest);
    return { url: secretLink("/new-password", text) };
  },
});

import { getModelDetail, setAlias } from "@/domain/models";
import { modelDetailSchema, newAliasSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "models.aliases.set",
  needs: "build",
  summary:
    "Gives a version of a model a name such as `champion`; another version of the same source that had it loses it.",
  params: idParams,
  body: newAliasSchema,
  response: modelDetailSchema,
  handle: async ({ scope, params, body: { name } }) => {
    await setAlias(scope, params.id, name);
    return await getModelDetail(scope, params.id);
  },
});

import { getModelDetail, removeAlias } from "@/domain/models";
import { modelDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idAndNameParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const DELETE = defineHandler({
  name: "models.aliases.remove",
  needs: "build",
  summary: "Takes a name from the version of a model that carries it.",
  params: idAndNameParams,
  response: modelDetailSchema,
  handle: async ({ scope, params: { id, name } }) => {
    await removeAlias(scope, id, name);
    return await getModelDetail(scope, id);
  },
});

import { archiveModel, getModelDetail } from "@/domain/models";
import { archiveModelSchema, modelDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "models.archive",
  needs: "build",
  summary: "Puts all versions of a model out of lists, or back; nothing else changes.",
  params: idParams,
  body: archiveModelSchema,
  response: modelDetailSchema,
  handle: async ({ scope, params, body: { archived } }) => {
    await archiveModel(scope, params.id, archived);
    return await getModelDetail(scope, params.id);
  },
});

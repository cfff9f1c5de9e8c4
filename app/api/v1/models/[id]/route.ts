import { deleteModel, getModelDetail } from "@/domain/models";
import { deletedSchema, modelDetailSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { objectStore } from "@/lib/server/storage";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "models.get",
  needs: "read",
  summary: "One version of a model: what is in it, its other versions, and what was made of it.",
  params: idParams,
  response: modelDetailSchema,
  handle: ({ scope, params }) => getModelDetail(scope, params.id),
});

export const DELETE = defineHandler({
  name: "models.delete",
  needs: "build",
  summary:
    "Deletes a version of a model, with the bytes that were sent; 409 while a build or an endpoint may need those.",
  params: idParams,
  response: deletedSchema,
  status: 202,
  handle: ({ scope, params }) => deleteModel(scope, params.id, objectStore()),
});

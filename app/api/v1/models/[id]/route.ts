import { getModel } from "@/domain/models";
import { modelSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "models.get",
  summary: "One stored model.",
  params: idParams,
  response: modelSchema,
  handle: ({ scope, params }) => getModel(scope, params.id),
});

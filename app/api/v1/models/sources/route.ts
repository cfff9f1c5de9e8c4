import { checkModelUrl } from "@/domain/models";
import { newModelSourceSchema, sourceLookSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { lookAtSource } from "../../_shared/look-at-source";
import { modelSources } from "../../_shared/model-sources";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "models.add",
  needs: "build",
  summary:
    "Keeps a model by its address, if an engine could read it; its bytes stay where they are.",
  body: newModelSourceSchema,
  response: sourceLookSchema,
  status: 201,
  handle: async ({ scope, body: { url }, signal }) => {
    checkModelUrl(url, { projectId: scope, sources: await modelSources(scope), field: "url" });
    return await lookAtSource(scope, { url, known: null, signal });
  },
});

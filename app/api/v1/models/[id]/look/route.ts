import { checkModelUrl, getModelDetail } from "@/domain/models";
import { sourceLookSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { lookAtSource } from "../../../_shared/look-at-source";
import { modelSources } from "../../../_shared/model-sources";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "models.look",
  needs: "build",
  summary:
    "Reads a model's source again: what is in it is told anew, and other bytes than before become its newest version.",
  params: idParams,
  response: sourceLookSchema,
  audit: { changesNothing: true },
  handle: async ({ scope, params, signal }) => {
    const { id, url, digest } = await getModelDetail(scope, params.id);
    checkModelUrl(url, { projectId: scope, sources: await modelSources(scope), field: "url" });
    return await lookAtSource(scope, { url, known: { id, digest }, signal });
  },
});

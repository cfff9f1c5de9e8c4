import { checkModelUrl, getModelDetail } from "@/domain/models";
import { sourceLookSchema } from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";
import { lookAtSource } from "../../../_shared/look-at-source";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "models.look",
  summary:
    "Reads a model's source again: what is in it is told anew, and other bytes than before become its newest version.",
  params: idParams,
  response: sourceLookSchema,
  handle: async ({ scope, params, signal }) => {
    const { id, url, digest } = await getModelDetail(scope, params.id);
    const allowedHosts = portalEnv().SOURCE_ALLOWED_HOSTS;
    checkModelUrl(url, { projectId: scope, allowedHosts, field: "url" });
    return await lookAtSource(scope, { url, known: { id, digest }, signal });
  },
});

import { getArtifactDetail, pinArtifact } from "@/domain/artifacts";
import { artifactDetailSchema, pinArtifactSchema } from "@/lib/common/contract";
import { isSigned } from "@/lib/server/board-protocol";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "artifacts.pin",
  needs: "build",
  summary:
    "Pins an artifact, which nothing deletes from then on, or lets it go; nothing else changes.",
  params: idParams,
  body: pinArtifactSchema,
  response: artifactDetailSchema,
  handle: async ({ scope, params, body: { pinned } }) => {
    await pinArtifact(scope, params.id, pinned);
    return await getArtifactDetail(scope, params.id, isSigned);
  },
});

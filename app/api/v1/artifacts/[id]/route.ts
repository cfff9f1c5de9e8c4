import { deleteArtifact, getArtifactDetail } from "@/domain/artifacts";
import { artifactDetailSchema, deletedSchema } from "@/lib/common/contract";
import { isSigned } from "@/lib/server/board-protocol";
import { defineHandler } from "@/lib/server/handler";
import { objectStore } from "@/lib/server/storage";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.get",
  needs: "read",
  summary: "One artifact by its digest: manifest and signature, how it stands, and what needs it.",
  params: idParams,
  response: artifactDetailSchema,
  handle: ({ scope, params }) => getArtifactDetail(scope, params.id, isSigned),
});

export const DELETE = defineHandler({
  name: "artifacts.delete",
  needs: "build",
  summary:
    "Deletes an artifact that no endpoint answers from, is being loaded with or can be rolled back to, and its files that nothing else needs; 409 with the reason otherwise.",
  params: idParams,
  response: deletedSchema,
  status: 202,
  handle: ({ scope, params }) => deleteArtifact(scope, params.id, objectStore()),
});

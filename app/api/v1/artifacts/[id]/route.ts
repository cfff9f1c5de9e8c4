import { getArtifact } from "@/domain/artifacts";
import { artifactSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.get",
  summary: "One artifact by its digest: manifest and signature.",
  params: idParams,
  response: artifactSchema,
  handle: ({ scope, params }) => getArtifact(scope, params.id),
});

import { listFitting } from "@/domain/boards";
import { fittingArtifactSchema, pageOf, pageQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "boards.artifacts",
  needs: "read",
  summary: "Artifacts of the project that a board can load as they are, newest first.",
  params: idParams,
  query: pageQuerySchema,
  response: pageOf(fittingArtifactSchema),
  handle: ({ scope, params, query }) => listFitting(scope, params.id, query),
});

import { listArtifacts } from "@/domain/artifacts";
import { artifactSchema, pageOf, pageQuerySchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.list",
  summary: "Artifacts that builds of the project made or reused, newest first.",
  query: pageQuerySchema,
  response: pageOf(artifactSchema),
  handle: ({ scope, query }) => listArtifacts(scope, query),
});

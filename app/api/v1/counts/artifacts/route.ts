import { countArtifacts } from "@/domain/artifacts";
import { artifactFilterSchema, artifactListCountsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "counts.artifacts",
  needs: "read",
  summary: "How many artifacts that match stand in each way, whichever are chosen.",
  query: artifactFilterSchema,
  response: artifactListCountsSchema,
  handle: ({ scope, query }) => countArtifacts(scope, query),
});

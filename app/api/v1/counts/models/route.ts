import { countModels } from "@/domain/models";
import { modelFilterSchema, modelListCountsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "counts.models",
  needs: "read",
  summary: "How many models that match are in each state, whichever states are chosen.",
  query: modelFilterSchema,
  response: modelListCountsSchema,
  handle: ({ scope, query }) => countModels(scope, query),
});

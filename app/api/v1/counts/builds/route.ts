import { countBuilds } from "@/domain/builds";
import { buildFilterSchema, buildListCountsSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "counts.builds",
  needs: "read",
  summary: "How many builds that match are in each state, whichever states are chosen.",
  query: buildFilterSchema,
  response: buildListCountsSchema,
  handle: ({ scope, query }) => countBuilds(scope, query),
});
